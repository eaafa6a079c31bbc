import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTagsFile1763700000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dataset ADD COLUMN tags_file uuid');
    await runner.query('CREATE INDEX ON dataset (tags_file)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
