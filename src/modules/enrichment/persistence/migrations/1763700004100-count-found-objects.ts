import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountFoundObjects1763700004100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE applied_chunk ADD COLUMN objects integer NOT NULL DEFAULT 0');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
