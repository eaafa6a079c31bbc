import type { ModelRegistry } from '../../../common/engine/models/model-registry';
import { isModelSetting, MODEL_SETTINGS, type SettingName } from './setting-definition';
import type { SettingValue } from './setting-value';

/** The error for an unknown model; undefined for a known one, and for settings that don't name a model. */
export function wrongModel(name: SettingName, value: SettingValue, models: ModelRegistry): string | undefined {
  if (!isModelSetting(name)) return undefined;
  const known = models.idsOf(MODEL_SETTINGS[name]);
  return known.some((id) => id === value) ? undefined : `must be one of the available models: ${known.join(', ')}`;
}
