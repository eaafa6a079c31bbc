import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../../common/platform/database/database-clock';
import { failpoint } from '../../../common/platform/config/failpoint';
import { formatTimestamp } from '../../../common/platform/http/query-values';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { afterAttempt, withReachability, type AttemptResult } from '../domain/attempt-result';
import type { Delivery, Webhook } from '../domain/webhook';
import { WebhookDeliveryRepository } from '../persistence/webhook-delivery.repository';
import { WebhookRepository } from '../persistence/webhook.repository';
import { WebhookCalls } from '../sending/webhook-calls';
import { WebhookSecrets } from '../sending/webhook-secrets';

const UNSIGNED: AttemptResult = {
  kind: 'unreached',
  reason: 'The delivery cannot be signed because SECRET_KEY has changed. Delete the webhook and create it again.',
};

/** Sends a delivery once and records the result. If interrupted in between, it is sent again with the same id. */
@Injectable()
export class AttemptDeliveryStep {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly calls: WebhookCalls,
    private readonly secrets: WebhookSecrets,
    private readonly clock: DatabaseClock,
  ) {}

  /** Returns whether the receiver answered and the webhook still exists. */
  async run(webhook: Webhook, delivery: Delivery, context: JobContext): Promise<boolean> {
    const result = await this.send(webhook, delivery, context.signal);
    failpoint('webhook-sent');
    const now = await this.clock.now();
    const reach = withReachability(webhook, result, now);
    const isThere = await context.commitProgress(async () => {
      // Lock order: the webhook before its deliveries, as in the deletion.
      if (reach.unreached !== webhook.unreached) await this.webhooks.saveReachability(webhook.id, reach);
      if (reach.pausedUntil !== null) await this.deliveries.postpone(webhook.id, reach.pausedUntil);
      return this.deliveries.saveAttempt(afterAttempt(delivery, result, now));
    });
    return isThere && result.kind === 'answered';
  }

  private async send(webhook: Webhook, delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    const { id, event, createdAt, payload } = delivery;
    const timestamp = String(Math.floor((await this.clock.now()).getTime() / 1_000));
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
