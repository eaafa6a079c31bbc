import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath, formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import { CreateWebhookUseCase, DeleteWebhookUseCase } from '../create-webhook.use-case';
import { WebhookReader } from '../webhook.reader';
import {
  deliveriesQuery,
  deliveriesResponse,
  newWebhookBody,
  newWebhookResponse,
  webhookPath,
  webhookResponse,
  webhooksResponse,
  type DeliveriesQuery,
  type DeliveriesResponse,
  type NewWebhookBody,
  type NewWebhookResponse,
  type WebhookPath,
  type WebhookResponse,
  type DeliveryResponse,
} from './webhook.schemas';
import type { Delivery, Webhook } from '../domain/webhook';

const presentWebhook = (webhook: Webhook, stoppedReason: string | null = null): WebhookResponse => ({
  id: webhook.id,
  dataset_id: webhook.datasetId,
  view_id: webhook.viewId,
  url: webhook.url,
  events: [...webhook.events],
  created_at: formatTimestamp(webhook.createdAt),
  created_by: webhook.createdBy,
  stopped_reason: stoppedReason,
});

const presentDelivery = (delivery: Delivery): DeliveryResponse => ({
  id: delivery.id,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status_code: delivery.lastStatusCode,
  last_error: delivery.lastError,
  next_attempt_at: formatTimestampOrNull(delivery.nextAttemptAt),
  created_at: formatTimestamp(delivery.createdAt),
  delivered_at: formatTimestampOrNull(delivery.deliveredAt),
  data: { ...delivery.payload },
});

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Webhooks')
@Controller('api/v1/dataset/:dataset_id/webhooks')
export class WebhookController {
  constructor(
    private readonly webhooks: WebhookReader,
    private readonly createWebhook: CreateWebhookUseCase,
    private readonly deleteWebhook: DeleteWebhookUseCase,
  ) {}

  @Post()
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Create a webhook for events of a dataset',
    description:
      'Each event is posted as JSON until it is answered with 2xx, for at most 24 hours, at least once and always with the same ' +
      '`id` (`X-DMS-Delivery`). `X-DMS-Signature` is `v1=` and the hexadecimal HMAC-SHA256, with `secret`, of the text ' +
      '`{X-DMS-Timestamp}.{body}`. Redirects are not followed.',
  })
  @ApiOkResponse({ standardSchema: newWebhookResponse })
  async create(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: newWebhookBody }) { url, events, view_id: viewId }: NewWebhookBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<NewWebhookResponse> {
    const wanted = { url, events, viewId: viewId ?? null };
    const { webhook, secret } = await this.createWebhook.create(datasetId, wanted, principal);
    return { ...presentWebhook(webhook), secret };
  }

  @Get()
  @DatasetAccess('write')
  @ApiOperation({ summary: 'The webhooks of a dataset, newest first' })
  @ApiOkResponse({ standardSchema: webhooksResponse })
  async list(@Param({ schema: datasetPath }) path: DatasetPath): Promise<z.infer<typeof webhooksResponse>> {
    const webhooks = await this.webhooks.list(path.dataset_id);
    return { webhooks: webhooks.map(({ webhook, stopReason }) => presentWebhook(webhook, stopReason)) };
  }

  @Get(':webhook_id')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'One webhook' })
  @ApiOkResponse({ standardSchema: webhookResponse })
  async get(@Param({ schema: webhookPath }) path: WebhookPath): Promise<WebhookResponse> {
    const { webhook, stopReason } = await this.webhooks.get(path.dataset_id, path.webhook_id);
    return presentWebhook(webhook, stopReason);
  }

  @Delete(':webhook_id')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Delete a webhook and its deliveries, also those that are still pending' })
  @ApiOkResponse({ standardSchema: z.null() })
  async delete(@Param({ schema: webhookPath }) path: WebhookPath, @Res() response: Response): Promise<void> {
    await this.deleteWebhook.delete(path.dataset_id, path.webhook_id);
    response.json(null);
  }

  @Get(':webhook_id/deliveries')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'The deliveries of a webhook, sent and pending, newest first' })
  @ApiOkResponse({ standardSchema: deliveriesResponse })
  async listDeliveries(
    @Param({ schema: webhookPath }) path: WebhookPath,
    @Query({ schema: deliveriesQuery }) { limit, offset }: DeliveriesQuery,
  ): Promise<DeliveriesResponse> {
    const { dataset_id: datasetId, webhook_id: id } = path;
    const { deliveries, total } = await this.webhooks.deliveriesOf(datasetId, id, { limit, offset });
    return { deliveries: deliveries.map(presentDelivery), total, has_more: offset + deliveries.length < total };
  }
}
