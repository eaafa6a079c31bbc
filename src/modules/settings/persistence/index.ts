import { AppSettingEntity } from './app-setting.repository';
import { MIGRATIONS } from './migrations';

export const settingsPersistence = { entities: [AppSettingEntity], migrations: MIGRATIONS };
