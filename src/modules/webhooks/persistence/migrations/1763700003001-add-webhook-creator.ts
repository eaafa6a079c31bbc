import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddWebhookCreator1763700003001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook ADD COLUMN created_by_id uuid');
    await runner.query(
      'UPDATE webhook SET created_by_id = app_user.id FROM app_user WHERE app_user.email = lower(webhook.created_by)',
    );
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
