import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountUnusedAnnotations1763700003700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE analyzed_chunk ADD COLUMN boxes_outside integer NOT NULL DEFAULT 0, ADD COLUMN annotated_videos integer NOT NULL DEFAULT 0',
    );
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
