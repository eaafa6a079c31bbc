import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { AppliedChunkEntity } from './applied-chunk.repository';

class CreateAppliedChunk1763700004000 extends ForwardMigration {
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
}

class CountFoundObjects1763700004100 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE applied_chunk ADD COLUMN objects integer NOT NULL DEFAULT 0');
  }
}

export const enrichmentPersistence = {
  entities: [AppliedChunkEntity],
  migrations: [CreateAppliedChunk1763700004000, CountFoundObjects1763700004100],
};
