import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { DuplicateDecisionEntity } from './duplicate-decision.repository';

class CreateDuplicateDecision1763700005002 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duplicate_decision (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        number integer NOT NULL,
        id uuid NOT NULL,
        batch_id uuid NOT NULL,
        kept uuid[] NOT NULL,
        removed uuid[] NOT NULL,
        tag_id uuid,
        decided_by text NOT NULL,
        decided_at timestamptz NOT NULL,
        undone_at timestamptz,
        revision integer NOT NULL,
        PRIMARY KEY (dataset_id, number)
      )`);
    await runner.query('CREATE UNIQUE INDEX ON duplicate_decision (dataset_id, id)');
    await runner.query('CREATE INDEX ON duplicate_decision (dataset_id, revision, number)');
    await runner.query('CREATE INDEX ON duplicate_decision (dataset_id, batch_id)');
  }
}

export const duplicatesPersistence = {
  entities: [DuplicateDecisionEntity],
  migrations: [CreateDuplicateDecision1763700005002],
};
