import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../../common/platform/database/forward-migration';
import { API_SECRETS } from '../domain/api-key';
import { ApiKeyEntity } from './api-key.repository';

class CreateApiKey1763700001800 extends ForwardMigration {
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
}

export const apiKeysPersistence = {
  entities: [ApiKeyEntity],
  migrations: [CreateApiKey1763700001800],
  sealed: [{ table: 'api_key', id: 'api_key', sealed: 'sealed_secret', keyId: 'key_id', purpose: API_SECRETS }],
};
