import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { MetadataImportEntity } from './metadata-import.repository';

class CreateMetadataImport1763700005001 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadata_import (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        field_name text NOT NULL,
        task_id uuid,
        inserted_rows int NOT NULL,
        error_count int NOT NULL,
        sample_errors jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX ON metadata_import (dataset_id)');
  }
}

export const annotationsPersistence = {
  entities: [MetadataImportEntity],
  migrations: [CreateMetadataImport1763700005001],
};
