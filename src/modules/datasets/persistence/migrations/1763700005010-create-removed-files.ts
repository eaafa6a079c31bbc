import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRemovedFiles1763700005010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE removed_files (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        files bytea NOT NULL
      )`);
    await runner.query('CREATE INDEX ON removed_files (dataset_id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
