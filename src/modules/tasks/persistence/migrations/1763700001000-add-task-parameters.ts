import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTaskParameters1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE task ADD COLUMN parameters jsonb NOT NULL DEFAULT '{}'");
    await runner.query('ALTER TABLE task ALTER COLUMN parameters DROP DEFAULT');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
