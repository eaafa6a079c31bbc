import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDatasetMember1763700002100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dataset_member (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('editor', 'viewer')),
        created_at timestamptz NOT NULL,
        PRIMARY KEY (dataset_id, user_id)
      )`);
    await runner.query('CREATE INDEX ON dataset_member (user_id)');
    await runner.query('CREATE INDEX ON dataset (owner_id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
