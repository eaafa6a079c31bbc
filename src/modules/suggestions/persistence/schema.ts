import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { KeptLabelEntity } from './kept-label.repository';

class CreateKeptLabel1763700007000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE kept_label (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        media_id uuid NOT NULL,
        label text NOT NULL,
        suggested text NOT NULL,
        decision_id uuid NOT NULL,
        decided_by text NOT NULL,
        decided_at timestamptz NOT NULL,
        PRIMARY KEY (dataset_id, media_id)
      )`);
    await runner.query('CREATE INDEX ON kept_label (dataset_id, decision_id)');
  }
}

export const suggestionsPersistence = {
  entities: [KeptLabelEntity],
  migrations: [CreateKeptLabel1763700007000],
};
