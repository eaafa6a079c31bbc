import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { formatTimestamp } from '../../../common/platform/http/timestamp';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { attempted, reached, type AttemptResult } from '../domain/attempt-result';
import type { Delivery, Webhook } from '../domain/webhook';
import { WebhookDeliveryRepository } from '../persistence/webhook-delivery.repository';
import { WebhookRepository } from '../persistence/webhook.repository';
import { WebhookCalls } from '../sending/webhook-calls';
import { WebhookSecrets } from '../sending/webhook-secrets';

const UNSIGNED: AttemptResult = {
  kind: 'unreached',
  reason: "Can't be signed, for SECRET_KEY has changed: make the webhook anew",
};

/** Sends once and notes what came of it; cut off in between, the same is sent again under the same id. */
@Injectable()
export class AttemptDeliveryStep {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly calls: WebhookCalls,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Says whether somebody answered, and the webhook is still there. */
  async run(webhook: Webhook, delivery: Delivery, context: JobContext): Promise<boolean> {
    const result = await this.send(webhook, delivery, context.signal);
    failpoint('webhook-sent');
    const now = new Date();
    const reach = reached(webhook, result, now);
    const isThere = await context.advance(async () => {
      // The webhook before its deliveries, as whoever deletes it.
      if (reach.unreached !== webhook.unreached) await this.webhooks.saveReach(webhook.id, reach);
      if (reach.pausedUntil !== null) await this.deliveries.holdBack(webhook.id, reach.pausedUntil);
      return this.deliveries.saveAttempt(attempted(delivery, result, now));
    });
    return isThere && result.kind === 'answered';
  }

  private async send(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    const { id, event, createdAt, payload } = delivery;
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify({
      id,
      event,
      created_at: formatTimestamp(createdAt),
      dataset_id: webhook.datasetId,
      data: payload,
    });
    const signature = this.secrets.sign(webhook, timestamp, body);
    if (signature === undefined) return UNSIGNED;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'dataset-media-service',
      'x-dms-delivery': id,
      'x-dms-event': event,
      'x-dms-timestamp': timestamp,
      'x-dms-signature': signature,
    };
    return this.calls.post({ url: webhook.url, headers, body }, signal);
  }
}
