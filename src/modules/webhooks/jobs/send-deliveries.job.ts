import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { failpoint } from '../../../common/platform/config/failpoint';
import { DatabaseClock } from '../../../common/platform/database/database-clock';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { GIVE_UP_AFTER_MS, afterAttempt, withReachability, type AttemptResult } from '../domain/attempt-result';
import type { Webhook, Delivery } from '../domain/webhook';
import { WebhookDeliveryRepository } from '../persistence/webhook-delivery.repository';
import { WebhookRepository } from '../persistence/webhook.repository';
import { WebhookCreators } from '../webhook.reader';
import { Sweeps, type Sweep } from '../../../common/platform/database/sweeps';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { formatTimestamp } from '../../../common/platform/http/query-values';
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

export interface SendingPayload {
  readonly webhookId: string;
}

/**
 * One run for each webhook, so that a slow receiver delays only its own deliveries. Runs mostly wait for the network, hence the
 * high concurrency. Failures of this service (such as a lost database connection) are retried without limit.
 */
export const SEND_DELIVERIES = defineJob<SendingPayload>('send-webhook-deliveries', {
  concurrency: 32,
  retryLimit: 1_000_000,
});

/** Read together, sent one by one. */
const AT_ONCE = 20;

/** After this time a run makes room for other webhooks. */
const TURN_MS = 15_000;

@JobHandler(SEND_DELIVERIES)
@Injectable()
export class SendDeliveriesJob implements JobRunner<SendingPayload> {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly creators: WebhookCreators,
    private readonly attemptDelivery: AttemptDeliveryStep,
    private readonly clock: DatabaseClock,
  ) {}

  async run({ webhookId }: SendingPayload, context: JobContext): Promise<void> {
    failpoint('webhook-due');
    const end = Date.now() + TURN_MS;
    while (await this.sendBatch(webhookId, end, context));
    await this.scheduleNext(webhookId, context);
  }

  /** Returns whether more deliveries may be due now. */
  private async sendBatch(webhookId: string, end: number, context: JobContext): Promise<boolean> {
    const webhook = await this.webhooks.findAny(webhookId);
    const due =
      webhook === undefined ? [] : await this.transactions.run(() => this.deliveries.listDue(webhookId, AT_ONCE));
    for (const delivery of due) {
      context.signal.throwIfAborted();
      if (await this.giveUpIfNotAllowed(webhook!, context)) return false;
      if (!(await this.attemptDelivery.run(webhook!, delivery, context)) || Date.now() >= end) return false;
    }
    return due.length === AT_ONCE;
  }

  /** Gives up all deliveries and returns true if the creator has lost access; checked before each delivery. */
  private async giveUpIfNotAllowed(webhook: Webhook, context: JobContext): Promise<boolean> {
    const reason = await this.creators.stopReason(webhook);
    if (reason === null) return false;
    await context.commit(() => this.deliveries.giveUpAll(webhook.id, reason));
    return true;
  }

  /** Ends the run, or postpones it to the next attempt. The lock makes sure that a concurrent event is either seen here or starts another run. */
  private async scheduleNext(webhookId: string, context: JobContext): Promise<void> {
    await this.transactions.run(async () => {
      const exists = await this.webhooks.lock(webhookId);
      const tooOld = new Date((await this.clock.now()).getTime() - GIVE_UP_AFTER_MS);
      if (exists) await this.deliveries.giveUpOlderThan(webhookId, tooOld, 'Not reached within 24 hours');
      const next = exists ? await this.deliveries.nextAttempt(webhookId) : undefined;
      const nothing = (): Promise<void> => Promise.resolve();
      if (next === undefined) await context.complete(nothing);
      else await context.postpone(next, nothing);
    });
  }
}

const MINUTE_MS = 60 * 1_000;
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

/** Deletes deliveries that ended a month ago, and restarts runs that were lost. */
@Injectable()
export class WebhookSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: JobQueue,
  ) {}

  @Interval(10 * MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('webhook deliveries', this);
  }

  async sweep(now: Date): Promise<number> {
    for (const webhookId of await this.deliveries.listDueWebhookIds(now))
      await this.queue.enqueue(SEND_DELIVERIES, { webhookId }, { singletonKey: webhookId });
    return this.deliveries.deleteEnded(new Date(now.getTime() - KEPT_MS));
  }
}
