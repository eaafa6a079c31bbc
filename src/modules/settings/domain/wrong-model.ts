import type { ModelRegistry } from '../../../common/engine/models/model-registry';
import { MODEL_SETTINGS, type ModelSetting, type SettingName } from './setting-definition';
import type { SettingValue } from './setting-value';

const isModelSetting = (name: SettingName): name is ModelSetting => Object.hasOwn(MODEL_SETTINGS, name);

/** What is wrong with it; undefined for a model that there is, and for settings that name none. */
export function wrongModel(name: SettingName, value: SettingValue, models: ModelRegistry): string | undefined {
  if (!isModelSetting(name)) return undefined;
  const known = models.idsOf(MODEL_SETTINGS[name]);
  return known.some((id) => id === value) ? undefined : `must be one of the models that there are: ${known.join(', ')}`;
}
