import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tag remains when its creator is deleted. */
export class KeepTagsOfDeletedUsers1763700002002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tag DROP CONSTRAINT tag_created_by_fkey');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
