import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateApiKey1763700001800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_key (
        api_key text PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        sealed_secret bytea NOT NULL,
        key_id text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz
      )`);
    await runner.query('CREATE INDEX ON api_key (user_id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** In the order in which they run. */
export const MIGRATIONS = [CreateApiKey1763700001800];
