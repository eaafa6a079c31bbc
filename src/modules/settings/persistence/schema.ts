import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { AppSettingEntity } from './app-setting.repository';

class CreateAppSetting1763700002200 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_setting (
        key text PRIMARY KEY,
        value text NOT NULL,
        updated_at timestamptz NOT NULL,
        updated_by uuid NOT NULL
      )`);
  }
}

export const settingsPersistence = { entities: [AppSettingEntity], migrations: [CreateAppSetting1763700002200] };
