import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '../../common/platform/database/database-clock';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { DomainEvents, subjectOf, type DomainEvent } from '../events';
import { presentEvent } from './http/event.presenter';
import { SEND_DELIVERIES } from './jobs/send-deliveries.job';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';

/** Delay before a run starts, so that it sends several events: one batch may match hundreds of views. */
const COALESCE_MS = 250;

/** Records the deliveries of an event, in the transaction that recorded the event. */
@Injectable()
export class DeliveryListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: JobQueue,
    private readonly clock: DatabaseClock,
  ) {}

  onModuleInit(): void {
    this.events.listen((event) => this.enqueueDeliveries(event));
  }

  private async enqueueDeliveries(event: DomainEvent): Promise<void> {
    const subscribed = await this.webhooks.lockSubscribed(event);
    if (subscribed.length === 0) return;
    const deliverable = { event: event.type, subject: subjectOf(event), payload: presentEvent(event) };
    await this.deliveries.insertPending(subscribed, deliverable, await this.clock.now());
    await this.wake(subscribed.map(({ id }) => id));
  }

  /** The caller has locked the webhooks, so a running job can't end before it has seen the new deliveries. */
  private async wake(webhookIds: readonly string[]): Promise<void> {
    const atWork = await this.queue.keysAtWork(SEND_DELIVERIES, webhookIds, COALESCE_MS);
    for (const webhookId of webhookIds.filter((id) => !atWork.has(id)))
      await this.queue.enqueue(SEND_DELIVERIES, { webhookId }, { singletonKey: webhookId, delayMs: COALESCE_MS });
  }
}
