import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTraceToJobRun1763700004700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_run ADD COLUMN trace_parent text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}
