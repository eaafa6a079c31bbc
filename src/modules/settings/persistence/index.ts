import { AppSettingEntity } from './app-setting.repository';
import { CreateAppSetting1763700002200 } from './migrations';

export const settingsPersistence = { entities: [AppSettingEntity], migrations: [CreateAppSetting1763700002200] };
