import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddWaitingToJobRun1763700003200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_run ADD COLUMN waiting_since timestamptz');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}
