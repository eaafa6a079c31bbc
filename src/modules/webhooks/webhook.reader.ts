import { Injectable } from '@nestjs/common';
import type { Delivery, Webhook } from './domain/webhook';
import { WebhookNotFoundError } from './domain/webhook-errors';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';
import { WebhookCreators } from './webhook-creators';

export interface WebhookWithStatus {
  readonly webhook: Webhook;
  /** Why deliveries have stopped; null while they are sent. */
  readonly stopReason: string | null;
}

@Injectable()
export class WebhookReader {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly creators: WebhookCreators,
  ) {}

  /** Newest first. */
  async list(datasetId: string): Promise<WebhookWithStatus[]> {
    const webhooks = await this.webhooks.list(datasetId);
    return Promise.all(webhooks.map((webhook) => this.withStatus(webhook)));
  }

  async get(datasetId: string, id: string): Promise<WebhookWithStatus> {
    return this.withStatus(await this.find(datasetId, id));
  }

  /** Newest first. */
  async deliveriesOf(
    datasetId: string,
    id: string,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    return this.deliveries.list((await this.find(datasetId, id)).id, part);
  }

  private async find(datasetId: string, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.find(datasetId, id);
    if (webhook === undefined) throw new WebhookNotFoundError();
    return webhook;
  }

  private async withStatus(webhook: Webhook): Promise<WebhookWithStatus> {
    return { webhook, stopReason: await this.creators.stopReason(webhook) };
  }
}
