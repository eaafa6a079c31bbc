import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateInstallation1763700003100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installation (
        only_row boolean PRIMARY KEY DEFAULT true CONSTRAINT installation_only_row_check CHECK (only_row),
        id uuid NOT NULL,
        secret_key_digest text,
        store_marked_at timestamptz,
        store_adopted_at timestamptz,
        created_at timestamptz NOT NULL
      )`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
