import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader } from '../datasets';
import type { EventType } from '../events';
import { ViewReader } from '../views';
import { type Webhook, TooManyWebhooksError, WebhookNotFoundError } from './domain/webhook';
import { WebhookRepository } from './persistence/webhook.repository';
import { WebhookAddresses } from './sending/webhook-addresses';
import { WebhookSecrets } from './sending/webhook-secrets';

/** Also deletes its deliveries. */
@Injectable()
export class DeleteWebhookUseCase {
  constructor(private readonly webhooks: WebhookRepository) {}

  async delete(datasetId: string, id: string): Promise<void> {
    if (!(await this.webhooks.delete(datasetId, id))) throw new WebhookNotFoundError();
  }
}

const MOST_WEBHOOKS = 100;

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly viewId: string | null;
}

@Injectable()
export class CreateWebhookUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly views: ViewReader,
    private readonly webhooks: WebhookRepository,
    private readonly addresses: WebhookAddresses,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** The secret is returned here and never again. */
  async create(
    datasetId: string,
    { url, events, viewId }: NewWebhook,
    creator: Pick<Principal, 'userId' | 'email'>,
  ): Promise<{ webhook: Webhook; secret: string }> {
    this.addresses.assertAllowed(new URL(url));
    const id = randomUUID();
    const { secret, sealedSecret } = this.secrets.make(id);
    const reach = { unreached: 0, pausedUntil: null };
    const webhook: Webhook = {
      id,
      datasetId,
      viewId,
      url,
      events,
      sealedSecret,
      createdAt: new Date(),
      createdBy: creator.email,
      createdById: creator.userId,
      ...reach,
    };
    await this.transactions.run(async () => {
      await this.datasets.lock(datasetId);
      if (viewId !== null) await this.views.lock(datasetId, viewId);
      if ((await this.webhooks.count(datasetId)) >= MOST_WEBHOOKS) throw new TooManyWebhooksError(MOST_WEBHOOKS);
      await this.webhooks.insert(webhook);
    });
    return { webhook, secret };
  }
}
