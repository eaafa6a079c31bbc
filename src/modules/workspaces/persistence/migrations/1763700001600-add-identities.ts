import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddIdentities1763700001600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_user
        ADD COLUMN subject text UNIQUE,
        ADD COLUMN username text,
        ADD COLUMN first_name text,
        ADD COLUMN last_name text,
        ADD COLUMN realm_roles text[] NOT NULL DEFAULT '{}'`);
    await runner.query('ALTER TABLE app_user ALTER COLUMN realm_roles DROP DEFAULT');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
