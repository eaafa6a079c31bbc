import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { ViewsModule } from '../views';
import { CreateWebhookUseCase } from './create-webhook.use-case';
import { DeleteWebhookUseCase } from './delete-webhook.use-case';
import { DeliveryListener } from './delivery.listener';
import { WebhookController } from './http/webhook.controller';
import { AttemptDeliveryStep } from './jobs/attempt-delivery.step';
import { SendDeliveriesJob } from './jobs/send-deliveries.job';
import { webhooksPersistence } from './persistence';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';
import { DnsResolver, HostResolver } from './sending/host-resolver';
import { WebhookAddresses } from './sending/webhook-addresses';
import { WebhookCalls } from './sending/webhook-calls';
import { WebhookSecrets } from './sending/webhook-secrets';
import { WebhookCreators } from './webhook-creators';
import { WebhookReader } from './webhook.reader';
import { WebhookSweep } from './webhook.sweep';

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
