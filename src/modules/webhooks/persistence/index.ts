import { WEBHOOK_SECRETS } from '../domain/webhook';
import { CreateWebhook1763700002300, AddWebhookCreator1763700003001 } from './migrations';
import { WebhookDeliveryEntity } from './webhook-delivery.repository';
import { WebhookEntity } from './webhook.repository';

export const webhooksPersistence = {
  entities: [WebhookEntity, WebhookDeliveryEntity],
  migrations: [CreateWebhook1763700002300, AddWebhookCreator1763700003001],
  sealed: [{ table: 'webhook', id: 'id', sealed: 'sealed_secret', purpose: WEBHOOK_SECRETS }],
};
