import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs are claimed from their own table; runs that wait there already are claimed like the rest. */
export class JobRunsAlone1763700003800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP SCHEMA IF EXISTS pgboss CASCADE;
      ALTER TABLE job_run DROP COLUMN progress;
      DROP INDEX job_run_state_start_after_idx;
      CREATE INDEX ON job_run (type, state, start_after);
      CREATE INDEX ON job_run (lease_until);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}
