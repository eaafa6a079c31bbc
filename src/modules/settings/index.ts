export { settingsPersistence } from './persistence/schema';
export type { BooleanSetting, ChoiceSetting, NumberSetting, SettingName } from './domain/setting-definition';
export { Settings } from './settings';
export { SettingsModule } from './settings.module';
