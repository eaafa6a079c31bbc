import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddUserEnabled1763700002001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user ADD COLUMN enabled boolean NOT NULL DEFAULT true');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
