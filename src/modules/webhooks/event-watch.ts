import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { DomainEvents, subjectOf, type DomainEvent } from '../events';
import { presentEvent } from './http/event.presenter';
import { SEND_DELIVERIES } from './jobs/send-deliveries.job';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';

/** One run takes what happens meanwhile: a batch may be news to hundreds of views. */
const GATHERING_MS = 250;

/** Notes, in the transaction in which something happens, who is to be told of it. */
@Injectable()
export class EventWatch implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.events.listen((event) => this.owe(event));
  }

  private async owe(event: DomainEvent): Promise<void> {
    const wanting = await this.webhooks.listWanting(event);
    if (wanting.length === 0) return;
    const owed = { event: event.type, subject: subjectOf(event), payload: presentEvent(event) };
    await this.deliveries.owe(wanting, owed, new Date());
    await this.wake(wanting.map(({ id }) => id));
  }

  /** The webhooks are locked: a run that is at work can't end before it has seen what they are owed now. */
  private async wake(webhookIds: readonly string[]): Promise<void> {
    const startAfter = new Date(Date.now() + GATHERING_MS);
    const atWork = await this.queue.keysAtWork(SEND_DELIVERIES, webhookIds, startAfter);
    for (const webhookId of webhookIds.filter((id) => !atWork.has(id)))
      await this.queue.enqueue(SEND_DELIVERIES, { webhookId }, { singletonKey: webhookId, startAfter });
  }
}
