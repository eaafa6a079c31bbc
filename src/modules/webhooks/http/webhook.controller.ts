import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/http/principal';
import { datasetPath } from '../../../common/http/query-values';
import { CreateWebhookUseCase } from '../create-webhook.use-case';
import type { Webhook } from '../domain/webhook';
import { WebhookNotFoundError } from '../domain/webhook-errors';
import { WebhookDeliveryRepository } from '../persistence/webhook-delivery.repository';
import { WebhookRepository } from '../persistence/webhook.repository';
import { WebhookCreators } from '../webhook-creators';
import { presentDelivery, presentWebhook } from './webhook.presenter';
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
} from './webhook.schemas';

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Webhooks')
@Controller('api/v1/dataset/:dataset_id/webhooks')
export class WebhookController {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly createWebhook: CreateWebhookUseCase,
    private readonly creators: WebhookCreators,
  ) {}

  @Post()
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Have an address told of what happens to a dataset',
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
    return { webhooks: await Promise.all(webhooks.map((webhook) => this.shown(webhook))) };
  }

  @Get(':webhook_id')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'One webhook' })
  @ApiOkResponse({ standardSchema: webhookResponse })
  async get(@Param({ schema: webhookPath }) path: WebhookPath): Promise<WebhookResponse> {
    return this.shown(await this.webhookAt(path));
  }

  @Delete(':webhook_id')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Delete a webhook with its deliveries; what is not delivered yet never is' })
  async delete(@Param({ schema: webhookPath }) path: WebhookPath, @Res() response: Response): Promise<void> {
    if (!(await this.webhooks.delete(path.dataset_id, path.webhook_id))) throw new WebhookNotFoundError();
    response.json(null);
  }

  @Get(':webhook_id/deliveries')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'What a webhook was told, and what it is still to be told; newest first' })
  @ApiOkResponse({ standardSchema: deliveriesResponse })
  async listDeliveries(
    @Param({ schema: webhookPath }) path: WebhookPath,
    @Query({ schema: deliveriesQuery }) { limit, offset }: DeliveriesQuery,
  ): Promise<DeliveriesResponse> {
    const { id } = await this.webhookAt(path);
    const { deliveries, total } = await this.deliveries.list(id, { limit, offset });
    return { deliveries: deliveries.map(presentDelivery), total, has_more: offset + deliveries.length < total };
  }

  private async shown(webhook: Webhook): Promise<WebhookResponse> {
    return presentWebhook(webhook, await this.creators.stopReason(webhook));
  }

  private async webhookAt({ dataset_id: datasetId, webhook_id: id }: WebhookPath): Promise<Webhook> {
    const webhook = await this.webhooks.find(datasetId, id);
    if (webhook === undefined) throw new WebhookNotFoundError();
    return webhook;
  }
}
