import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateJobRun1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_run (
        id uuid PRIMARY KEY,
        type text NOT NULL,
        payload jsonb NOT NULL,
        state text NOT NULL,
        singleton_key text,
        attempt integer NOT NULL,
        failures integer NOT NULL,
        lost_leases integer NOT NULL,
        verdict text,
        cancel_requested boolean NOT NULL,
        error text,
        checkpoint jsonb,
        progress double precision NOT NULL,
        owner text,
        lease_until timestamptz,
        heartbeat_at timestamptz,
        start_after timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        finished_at timestamptz
      );
      CREATE UNIQUE INDEX ON job_run (type, singleton_key) WHERE finished_at IS NULL;
      CREATE INDEX ON job_run (state, start_after);
      CREATE INDEX ON job_run (finished_at);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}
