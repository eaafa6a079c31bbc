export { webhooksPersistence } from './persistence';
export { WebhooksModule } from './webhooks.module';
