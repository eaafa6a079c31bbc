import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMetadataImport1763700005001 implements MigrationInterface {
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

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
