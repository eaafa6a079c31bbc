import { Injectable } from '@nestjs/common';
import { type Delivery, type Webhook, WebhookNotFoundError, CREATOR_WITHOUT_ACCESS } from './domain/webhook';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';
import { DatasetReader, grants } from '../datasets';

/** A webhook sends events only while its creator may change the dataset. */
@Injectable()
export class WebhookCreators {
  constructor(private readonly datasets: DatasetReader) {}

  /** Why deliveries have stopped; null while the creator may change the dataset. */
  async stopReason({ createdById, datasetId }: Webhook): Promise<string | null> {
    const role = createdById === null ? undefined : await this.datasets.roleOfUser(createdById, datasetId);
    return role !== undefined && grants(role, 'write') ? null : CREATOR_WITHOUT_ACCESS;
  }
}

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
