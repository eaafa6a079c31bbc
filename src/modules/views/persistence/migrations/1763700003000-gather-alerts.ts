import type { MigrationInterface, QueryRunner } from 'typeorm';

export class GatherAlerts1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE view_evaluation ADD COLUMN alert text');
    await runner.query('CREATE INDEX ON saved_view (dataset_id, created_by_id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
