import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddHistory1763700000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The owner of a generation without references: an id that no dataset has.
    await runner.query('ALTER TABLE generation ADD COLUMN owner_dataset_id uuid NOT NULL DEFAULT gen_random_uuid()');
    await runner.query('ALTER TABLE generation ALTER COLUMN owner_dataset_id DROP DEFAULT');
    await runner.query(
      'UPDATE generation SET owner_dataset_id = dataset.id FROM dataset WHERE dataset.generation_id = generation.id',
    );
    await runner.query(`
      ALTER TABLE dataset
        ADD COLUMN snapshots_supported boolean NOT NULL DEFAULT true,
        ADD COLUMN current_snapshot_id uuid`);
    await runner.query('ALTER TABLE dataset ALTER COLUMN snapshots_supported DROP DEFAULT');
    await runner.query(`
      CREATE TABLE snapshot (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL,
        reason text NOT NULL,
        created_at timestamptz NOT NULL,
        created_by text NOT NULL,
        generation_id uuid REFERENCES generation (id),
        table_version integer NOT NULL,
        tags_file uuid,
        tags jsonb NOT NULL,
        n_images integer NOT NULL,
        n_videos integer NOT NULL,
        n_objects integer NOT NULL,
        n_frames integer NOT NULL,
        thumbnail_key text,
        deleted_at timestamptz,
        CHECK ((generation_id IS NULL) = (deleted_at IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX ON snapshot (dataset_id, created_at)');
    await runner.query('CREATE INDEX ON snapshot (generation_id)');
    await runner.query('CREATE INDEX ON snapshot (tags_file)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
