import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMetadataField1763700005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadata_field (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        type text NOT NULL,
        enum_options jsonb,
        is_multi boolean NOT NULL,
        PRIMARY KEY (dataset_id, name)
      )`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
