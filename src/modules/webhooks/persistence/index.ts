import { WEBHOOK_SECRETS } from '../domain/webhook';
import { MIGRATIONS } from './migrations';
import { WebhookDeliveryEntity } from './webhook-delivery.repository';
import { WebhookEntity } from './webhook.repository';

export const webhooksPersistence = {
  entities: [WebhookEntity, WebhookDeliveryEntity],
  migrations: MIGRATIONS,
  sealed: [{ table: 'webhook', id: 'id', sealed: 'sealed_secret', purpose: WEBHOOK_SECRETS }],
};
