import {
  RUNTIME_SETTING_NAMES,
  runtimeSettings,
  type RuntimeSettings,
} from '../../../common/platform/config/runtime-settings.schema';
import type { ModelType } from '../../../common/engine/models/model-manifest';

export type SettingName = keyof RuntimeSettings;

/** Settings that name a model, with its type. */
export const MODEL_SETTINGS = {
  IMAGE_MODEL: 'IMAGE_ENCODING',
  TEXT_MODEL: 'TEXT_ENCODING',
} as const satisfies Partial<Record<SettingName, ModelType>>;

type NamesOf<Value> = {
  [Name in SettingName]: RuntimeSettings[Name] extends Value ? Name : never;
}[SettingName];

export type BooleanSetting = NamesOf<boolean>;
export type NumberSetting = NamesOf<number>;
export type ModelSetting = keyof typeof MODEL_SETTINGS;
export type ChoiceSetting = Exclude<NamesOf<string>, ModelSetting>;

export type SettingKind = 'boolean' | 'number' | 'model' | 'choice';

/** Every value that can be changed while the service runs. */
export const SETTING_NAMES = RUNTIME_SETTING_NAMES;

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(runtimeSettings, name);

export const isModelSetting = (name: SettingName): name is ModelSetting => Object.hasOwn(MODEL_SETTINGS, name);

export function settingKind(name: SettingName): SettingKind {
  if (isModelSetting(name)) return 'model';
  const kind = typeof runtimeSettings[name].parse(undefined);
  return kind === 'string' ? 'choice' : (kind as 'boolean' | 'number');
}
