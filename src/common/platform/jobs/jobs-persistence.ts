import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../database/forward-migration';
import type { SchemaParts } from '../database/data-source';
import { JobRunEntity } from './job-run.store';

class CreateJobRun1763700000000 extends ForwardMigration {
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
}

class AddWaitingToJobRun1763700003200 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_run ADD COLUMN waiting_since timestamptz');
  }
}

/** Runs are now claimed from their own table; runs that already wait in it are claimed like all others. */
class JobRunsAlone1763700003800 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP SCHEMA IF EXISTS pgboss CASCADE;
      ALTER TABLE job_run DROP COLUMN progress;
      DROP INDEX job_run_state_start_after_idx;
      CREATE INDEX ON job_run (type, state, start_after);
      CREATE INDEX ON job_run (lease_until);
    `);
  }
}

class AddTraceToJobRun1763700004700 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_run ADD COLUMN trace_parent text');
  }
}

export const jobsPersistence: SchemaParts = {
  entities: [JobRunEntity],
  migrations: [
    CreateJobRun1763700000000,
    AddWaitingToJobRun1763700003200,
    JobRunsAlone1763700003800,
    AddTraceToJobRun1763700004700,
  ],
};
