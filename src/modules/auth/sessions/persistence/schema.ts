import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../../common/platform/database/forward-migration';
import { LoginSessionEntity, UsedLogoutTokenEntity } from './login-session.repository';

class CreateLoginSession1763700001900 extends ForwardMigration {
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
}

export const sessionsPersistence = {
  entities: [LoginSessionEntity, UsedLogoutTokenEntity],
  migrations: [CreateLoginSession1763700001900],
};
