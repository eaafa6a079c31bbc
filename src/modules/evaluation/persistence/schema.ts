import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { EvaluationEntity } from './evaluation.entity';

/** Figures are shown in the order in which they are written, which `jsonb` does not keep. */
class CreateEvaluation1763700007200 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE evaluation (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        truth text NOT NULL,
        predictions text NOT NULL,
        task text NOT NULL,
        protocol text NOT NULL,
        options jsonb NOT NULL,
        pictures text NOT NULL,
        filter jsonb,
        task_id uuid REFERENCES task (id) ON DELETE SET NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL,
        completed_at timestamptz,
        result_file uuid,
        n_pictures integer,
        n_truth integer,
        n_predictions integer,
        confidence double precision,
        metrics json,
        previous_metrics json,
        per_class json,
        error_costs json,
        slices jsonb,
        evaluated jsonb,
        generation_id uuid REFERENCES generation (id),
        table_version integer,
        tags_file uuid,
        annotation_state uuid REFERENCES annotation_state (id)
      )`);
    await runner.query('CREATE INDEX ON evaluation (dataset_id, created_at)');
    for (const column of ['task_id', 'result_file', 'generation_id', 'tags_file', 'annotation_state'])
      await runner.query(`CREATE INDEX ON evaluation (${column})`);
  }
}

class KeepEvaluationsUpToDate1763700007400 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE evaluation
        ADD COLUMN keep_up_to_date boolean NOT NULL DEFAULT false,
        ADD COLUMN checked_version text`);
    await runner.query('ALTER TABLE evaluation ALTER COLUMN keep_up_to_date DROP DEFAULT');
    await runner.query('CREATE INDEX ON evaluation (dataset_id) WHERE keep_up_to_date');
  }
}

class KeepSamplesOfEvaluations1763700007410 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE evaluation ADD COLUMN samples json');
  }
}

export const evaluationPersistence = {
  entities: [EvaluationEntity],
  migrations: [
    CreateEvaluation1763700007200,
    KeepEvaluationsUpToDate1763700007400,
    KeepSamplesOfEvaluations1763700007410,
  ],
};
