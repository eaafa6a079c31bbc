import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddEmbeddingModelToExport1763700004800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE export_task ADD COLUMN embedding_model text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}
