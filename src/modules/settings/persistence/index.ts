import { AppSettingEntity } from './app-setting.repository';
import { CreateAppSetting1763700002200 } from './migrations/1763700002200-create-app-setting';

export const settingsPersistence = { entities: [AppSettingEntity], migrations: [CreateAppSetting1763700002200] };
