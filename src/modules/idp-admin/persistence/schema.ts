import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { ProviderWorkEntity } from './provider-work.repository';
import { UserCreationEntity } from './user-creation.repository';

class CreateProviderWork1763700002000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE provider_work (
        subject text PRIMARY KEY,
        token uuid NOT NULL,
        admin_roles text CHECK (admin_roles IN ('grant', 'revoke')),
        logout boolean NOT NULL,
        deletion boolean NOT NULL,
        heir_id uuid,
        failures integer NOT NULL,
        last_error text,
        due_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX ON provider_work (due_at)');
    await runner.query(`
      CREATE TABLE user_creation (
        id uuid PRIMARY KEY,
        username text NOT NULL,
        first_name text NOT NULL,
        last_name text NOT NULL,
        started_at timestamptz NOT NULL,
        is_undone boolean NOT NULL
      )`);
  }
}

export const idpAdminPersistence = {
  entities: [ProviderWorkEntity, UserCreationEntity],
  migrations: [CreateProviderWork1763700002000],
};
