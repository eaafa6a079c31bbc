import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddEnrichments1763700003900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE generation ADD COLUMN enrichments jsonb NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
