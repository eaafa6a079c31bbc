import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddObjectClustering1763700004200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE generation ADD COLUMN object_clustering_id uuid');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
