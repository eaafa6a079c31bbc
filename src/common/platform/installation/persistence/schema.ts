import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../database/forward-migration';
import type { SchemaParts } from '../../database/data-source';
import { InstallationEntity } from './installation.repository';

class CreateInstallation1763700003100 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installation (
        only_row boolean PRIMARY KEY DEFAULT true CONSTRAINT installation_only_row_check CHECK (only_row),
        id uuid NOT NULL,
        secret_key_digest text,
        store_marked_at timestamptz,
        store_adopted_at timestamptz,
        created_at timestamptz NOT NULL
      )`);
  }
}

export const installationPersistence: SchemaParts = {
  entities: [InstallationEntity],
  migrations: [CreateInstallation1763700003100],
};
