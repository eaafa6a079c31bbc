import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateNotification1763700001200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notification (
        id uuid PRIMARY KEY,
        position bigserial NOT NULL,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        entity_type text NOT NULL,
        entity_id uuid NOT NULL,
        title text NOT NULL,
        message text,
        metadata jsonb NOT NULL,
        dataset_id uuid REFERENCES dataset (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        read_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX ON notification (position)');
    await runner.query('CREATE INDEX ON notification (user_id, position)');
    await runner.query('CREATE INDEX ON notification (entity_id)');
    await runner.query('CREATE INDEX ON notification (dataset_id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** In the order in which they run. */
export const MIGRATIONS = [CreateNotification1763700001200];
