import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { PATIENCE_MS } from '../domain/attempt-result';
import type { Webhook } from '../domain/webhook';
import { WebhookDeliveryRepository } from '../persistence/webhook-delivery.repository';
import { WebhookRepository } from '../persistence/webhook.repository';
import { WebhookCreators } from '../webhook-creators';
import { AttemptDeliveryStep } from './attempt-delivery.step';

export interface SendingPayload {
  readonly webhookId: string;
}

/**
 * One run a webhook: those that are slow hold up none but themselves. They wait rather than work, so many go at once, and what
 * fails for reasons of our own is tried for as long as it takes.
 */
export const SEND_DELIVERIES = defineJob<SendingPayload>('send-webhook-deliveries', {
  concurrency: 32,
  retryLimit: 1_000_000,
});

/** Read together, sent one after the other. */
const AT_ONCE = 20;

/** After that the next webhook has its turn. */
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
  ) {}

  async run({ webhookId }: SendingPayload, context: JobContext): Promise<void> {
    failpoint('webhook-due');
    const end = Date.now() + TURN_MS;
    while (await this.sendSome(webhookId, end, context));
    await this.rest(webhookId, context);
  }

  /** Says whether there may be more to send now. */
  private async sendSome(webhookId: string, end: number, context: JobContext): Promise<boolean> {
    const webhook = await this.webhooks.findAny(webhookId);
    const due = webhook === undefined ? [] : await this.deliveries.due(webhookId, AT_ONCE);
    for (const delivery of due) {
      context.signal.throwIfAborted();
      if (await this.stop(webhook!, context)) return false;
      if (!(await this.attemptDelivery.run(webhook!, delivery, context)) || Date.now() >= end) return false;
    }
    return due.length === AT_ONCE;
  }

  /** Says whether nothing may be sent any more: asked before each delivery, for access may end at any time. */
  private async stop(webhook: Webhook, context: JobContext): Promise<boolean> {
    const reason = await this.creators.stopReason(webhook);
    if (reason === null) return false;
    await context.commit(() => this.deliveries.giveUpAll(webhook.id, reason));
    return true;
  }

  /** Until the next attempt, or for good. Locked in this order, an event that is noted meanwhile is either seen here or starts another run. */
  private async rest(webhookId: string, context: JobContext): Promise<void> {
    await this.transactions.run(async () => {
      const exists = await this.webhooks.lock(webhookId);
      const tooOld = new Date(Date.now() - PATIENCE_MS);
      if (exists) await this.deliveries.giveUp(webhookId, tooOld, 'Not reached within 24 hours');
      const next = exists ? await this.deliveries.nextAttempt(webhookId) : undefined;
      const nothing = (): Promise<void> => Promise.resolve();
      if (next === undefined) await context.complete(nothing);
      else await context.postpone(next, nothing);
    });
  }
}
