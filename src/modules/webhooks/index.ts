export { WEBHOOK_JOBS } from './jobs';
export { webhooksPersistence } from './persistence';
export { WebhooksModule } from './webhooks.module';
