import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TellWhatChunksAreMadeFrom1763700005003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analyzed_chunk ADD COLUMN made_from text');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
