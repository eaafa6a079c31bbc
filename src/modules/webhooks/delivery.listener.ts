import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '../../common/platform/database/database-clock';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { DomainEvents, subjectOf, totalled, type AnnotationsChanged, type DomainEvent } from '../events';
import type { Webhook } from './domain/webhook';
import { SEND_DELIVERIES } from './jobs/send-deliveries.job';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';
import { WebhookRepository } from './persistence/webhook.repository';

const MOST_CHARACTERS = 2_000;

/** Delay before a run starts, so that it sends several events: one batch may match hundreds of views. */
const COALESCE_MS = 250;

/** The changes of annotations within this time are one delivery. */
const BATCH_MS = 5_000;

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
    const now = await this.clock.now();
    const isBatched = event.type === 'annotations.changed';
    const joined = isBatched ? await this.joinWaiting(subscribed, event) : new Set<string>();
    const others = subscribed.filter(({ id }) => !joined.has(id));
    if (others.length === 0) return;
    const due = isBatched ? new Date(now.getTime() + BATCH_MS) : now;
    const deliverable = { event: event.type, subject: subjectOf(event), payload: presentEvent(event) };
    await this.deliveries.insertPending(others, deliverable, { now, due });
    await this.wake(others.map(({ id }) => id));
  }

  /** Adds to deliveries of earlier changes that nobody has tried to send yet. Returns the webhooks that have one. */
  private async joinWaiting(subscribed: readonly Webhook[], event: AnnotationsChanged): Promise<Set<string>> {
    const waiting = await this.deliveries.lockWaiting(
      subscribed.map(({ id }) => id),
      event.type,
    );
    for (const { id, payload } of waiting) {
      const { sources } = payload as Pick<AnnotationsChanged, 'sources'>;
      await this.deliveries.savePayload(id, presentEvent({ ...event, sources: [...sources, ...event.sources] }));
    }
    return new Set(waiting.map(({ webhookId }) => webhookId));
  }

  /** The caller has locked the webhooks, so a running job can't end before it has seen the new deliveries. */
  private async wake(webhookIds: readonly string[]): Promise<void> {
    const atWork = await this.queue.keysAtWork(SEND_DELIVERIES, webhookIds, COALESCE_MS);
    for (const webhookId of webhookIds.filter((id) => !atWork.has(id)))
      await this.queue.enqueue(SEND_DELIVERIES, { webhookId }, { singletonKey: webhookId, delayMs: COALESCE_MS });
  }
}

/** The `data` of a posted event; type, time and dataset are added when it is sent. */
function presentEvent(event: DomainEvent): object {
  const dataset = { dataset_name: event.datasetName };
  switch (event.type) {
    case 'view.matched':
      return {
        ...dataset,
        view_id: event.viewId,
        view_name: event.viewName,
        batch_id: event.batchId,
        result_count: event.count,
      };
    case 'task.completed':
    case 'task.failed':
      return {
        ...dataset,
        task_id: event.taskId,
        task_type: event.taskType,
        status: event.type === 'task.completed' ? 'COMPLETED' : 'FAILED',
        error_message: event.errorMessage?.slice(0, MOST_CHARACTERS) ?? null,
      };
    case 'snapshot.created':
      return {
        ...dataset,
        snapshot_id: event.snapshotId,
        snapshot_name: event.snapshotName,
        reason: event.reason,
      };
    case 'annotations.changed':
      return { ...dataset, sources: totalled(event.sources) };
    case 'queue.finished':
      return { ...dataset, queue_id: event.queueId, queue_name: event.queueName, n_items: event.items };
    case 'item.rejected':
      return {
        ...dataset,
        queue_id: event.queueId,
        queue_name: event.queueName,
        item_id: event.itemId,
        media_id: event.mediaId,
        reason: event.reason,
        rejected_by: event.rejectedBy,
      };
  }
}
