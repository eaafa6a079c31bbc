import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTextModel1763700000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE generation ADD COLUMN text_model_id text NOT NULL DEFAULT 'hashed-words_v00'`);
    await runner.query('ALTER TABLE generation ALTER COLUMN text_model_id DROP DEFAULT');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
