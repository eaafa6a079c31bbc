import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { ViewsModule } from '../views';
import { CreateWebhookUseCase, DeleteWebhookUseCase } from './create-webhook.use-case';
import { DeliveryListener } from './delivery.listener';
import { WebhookController } from './http/webhook.controller';
import { AttemptDeliveryStep, SendDeliveriesJob, WebhookSweep } from './jobs/send-deliveries.job';
import { webhooksPersistence } from './persistence/schema';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';
import { DnsResolver, HostResolver, WebhookAddresses } from './sending/webhook-addresses';
import { WebhookCalls } from './sending/webhook-calls';
import { WebhookSecrets } from './sending/webhook-secrets';
import { WebhookCreators, WebhookReader } from './webhook.reader';

@Module({
  imports: [TypeOrmModule.forFeature(webhooksPersistence.entities), DatasetsModule, EventsModule, ViewsModule],
  controllers: [WebhookController],
  providers: [
    WebhookRepository,
    WebhookDeliveryRepository,
    { provide: HostResolver, useClass: DnsResolver },
    WebhookAddresses,
    WebhookCalls,
    WebhookSecrets,
    CreateWebhookUseCase,
    DeleteWebhookUseCase,
    WebhookReader,
    WebhookCreators,
    DeliveryListener,
    AttemptDeliveryStep,
    SendDeliveriesJob,
    WebhookSweep,
  ],
})
export class WebhooksModule {}
