import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateAppSetting1763700002200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_setting (
        key text PRIMARY KEY,
        value text NOT NULL,
        updated_at timestamptz NOT NULL,
        updated_by uuid NOT NULL
      )`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** In the order in which they run. */
export const MIGRATIONS = [CreateAppSetting1763700002200];
