import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { WEBHOOK_SECRETS } from '../domain/webhook';
import { WebhookDeliveryEntity } from './webhook-delivery.repository';
import { WebhookEntity } from './webhook.repository';

class CreateWebhook1763700002300 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        view_id uuid REFERENCES saved_view (id) ON DELETE CASCADE,
        url text NOT NULL,
        events text[] NOT NULL,
        sealed_secret bytea NOT NULL,
        created_at timestamptz NOT NULL,
        created_by text NOT NULL,
        unreached integer NOT NULL,
        paused_until timestamptz
      )`);
    await runner.query('CREATE INDEX ON webhook (dataset_id)');
    await runner.query('CREATE INDEX ON webhook (view_id)');
    await runner.query(`
      CREATE TABLE webhook_delivery (
        id uuid PRIMARY KEY,
        webhook_id uuid NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
        event text NOT NULL,
        subject text NOT NULL,
        payload jsonb NOT NULL,
        status text NOT NULL,
        attempts integer NOT NULL,
        last_status_code integer,
        last_error text,
        created_at timestamptz NOT NULL,
        next_attempt_at timestamptz,
        delivered_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX ON webhook_delivery (webhook_id, event, subject)');
    await runner.query('CREATE INDEX ON webhook_delivery (webhook_id, created_at)');
    await runner.query('CREATE INDEX ON webhook_delivery (webhook_id, next_attempt_at)');
  }
}

class AddWebhookCreator1763700003001 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook ADD COLUMN created_by_id uuid');
    await runner.query(
      'UPDATE webhook SET created_by_id = app_user.id FROM app_user WHERE app_user.email = lower(webhook.created_by)',
    );
  }
}

export const webhooksPersistence = {
  entities: [WebhookEntity, WebhookDeliveryEntity],
  migrations: [CreateWebhook1763700002300, AddWebhookCreator1763700003001],
  sealed: [{ table: 'webhook', id: 'id', sealed: 'sealed_secret', purpose: WEBHOOK_SECRETS }],
};
