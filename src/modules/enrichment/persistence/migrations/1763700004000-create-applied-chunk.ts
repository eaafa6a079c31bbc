import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAppliedChunk1763700004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE applied_chunk (
        task_id uuid NOT NULL REFERENCES task (id) ON DELETE CASCADE,
        type text NOT NULL,
        sequence integer NOT NULL,
        store_key text NOT NULL,
        media integer NOT NULL,
        PRIMARY KEY (task_id, type, sequence)
      )`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
