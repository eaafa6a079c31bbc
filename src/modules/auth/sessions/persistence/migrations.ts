import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateLoginSession1763700001900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE login_session (
        id_hash text PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        subject text NOT NULL,
        provider_sid text,
        sealed_id_token bytea,
        created_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX ON login_session (user_id)');
    await runner.query('CREATE INDEX ON login_session (subject)');
    await runner.query('CREATE INDEX ON login_session (provider_sid)');
    await runner.query(`
      CREATE TABLE used_logout_token (
        id_hash text PRIMARY KEY,
        expires_at timestamptz NOT NULL
      )`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** In the order in which they run. */
export const MIGRATIONS = [CreateLoginSession1763700001900];
