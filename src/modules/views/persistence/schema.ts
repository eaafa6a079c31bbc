import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { SavedViewEntity } from './saved-view.repository';
import { ViewEvaluationEntity } from './view-evaluation.repository';

class CreateSavedView1763700001300 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_view (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        created_by_id uuid NOT NULL,
        created_by_email text NOT NULL,
        created_by_name text NOT NULL,
        search jsonb NOT NULL,
        n_images integer NOT NULL,
        n_objects integer NOT NULL,
        n_video_frames integer NOT NULL,
        monitoring_enabled boolean NOT NULL,
        alerting_enabled boolean NOT NULL,
        total_results integer NOT NULL,
        last_results timestamptz,
        evaluation_error text
      )`);
    await runner.query('CREATE UNIQUE INDEX ON saved_view (dataset_id, name)');
    await runner.query(`
      CREATE TABLE view_evaluation (
        view_id uuid NOT NULL REFERENCES saved_view (id) ON DELETE CASCADE,
        batch_id uuid NOT NULL,
        arrived_at timestamptz NOT NULL,
        count integer,
        PRIMARY KEY (view_id, batch_id)
      )`);
    await runner.query('CREATE INDEX ON view_evaluation (batch_id)');
  }
}

class GatherAlerts1763700003000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE view_evaluation ADD COLUMN alert text');
    await runner.query('CREATE INDEX ON saved_view (dataset_id, created_by_id)');
  }
}

class WaitForEvaluations1763700007500 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE view_evaluation ADD COLUMN waits_for uuid[]');
    await runner.query('CREATE INDEX ON view_evaluation (view_id) WHERE waits_for IS NOT NULL');
  }
}

export const viewsPersistence = {
  entities: [SavedViewEntity, ViewEvaluationEntity],
  migrations: [CreateSavedView1763700001300, GatherAlerts1763700003000, WaitForEvaluations1763700007500],
};
