import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDatasets1763700000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE generation (
        id uuid PRIMARY KEY,
        writer_task_id uuid,
        clustering_id uuid NOT NULL,
        model_id text NOT NULL,
        ladder real[] NOT NULL,
        table_rows integer NOT NULL,
        table_bytes bigint NOT NULL,
        created_at timestamptz NOT NULL,
        orphaned_at timestamptz
      )`);
    await runner.query('CREATE INDEX ON generation (writer_task_id)');
    await runner.query(`
      CREATE TABLE dataset (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspace (id),
        owner_id uuid NOT NULL REFERENCES app_user (id),
        display_name text NOT NULL,
        description text NOT NULL,
        source_type text NOT NULL,
        source_uri text,
        created_at timestamptz NOT NULL,
        touched_at timestamptz NOT NULL,
        status_new text NOT NULL,
        progress integer NOT NULL,
        n_images integer NOT NULL,
        n_videos integer NOT NULL,
        n_objects integer NOT NULL,
        n_frames integer NOT NULL,
        fatal_error_msg text,
        source_dataset_id uuid,
        thumbnail_key text,
        generation_id uuid REFERENCES generation (id),
        table_version integer,
        CHECK ((generation_id IS NULL) = (table_version IS NULL))
      )`);
    await runner.query('CREATE INDEX ON dataset (workspace_id)');
    await runner.query('CREATE INDEX ON dataset (generation_id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
