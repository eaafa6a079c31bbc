export { webhooksPersistence } from './persistence/schema';
export { WebhooksModule } from './webhooks.module';
