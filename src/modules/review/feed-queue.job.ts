import { Injectable, type OnModuleInit } from '@nestjs/common';
import { failpoint } from '../../common/platform/config/failpoint';
import { DomainError } from '../../common/platform/errors/domain-error';
import { JobHandler, type JobContext, type JobRunner } from '../../common/platform/jobs/job-handler';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { defineJob } from '../../common/platform/jobs/job-type';
import { DomainEvents } from '../events';
import { MAX_ITEMS, QUEUE_IS_FULL } from './domain/review-queue';
import { FrozenItems } from './frozen-items';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { ReviewQueueRepository } from './persistence/review-queue.repository';

export interface FeedPayload {
  readonly datasetId: string;
  readonly queueId: string;
  readonly viewId: string;
  /** Of the new media; null for all that the view finds. */
  readonly batchId: string | null;
}

export const FEED_QUEUE = defineJob<FeedPayload>('feed-review-queue');

/** So answers, which lock the queue for a moment, do not wait for long. */
const ADDED_AT_ONCE = 5_000;
const NOT_ADDED = 'The last matches of the view could not be added. The log of the service has the reason.';

/** Enqueued in the transaction that records the matches of a view. */
@Injectable()
export class ViewMatchListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly queues: ReviewQueueRepository,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.events.listen(async (event) => {
      if (event.type !== 'view.matched') return;
      const { datasetId, viewId, batchId } = event;
      for (const queueId of await this.queues.listFedBy(viewId))
        await this.jobs.enqueue(FEED_QUEUE, { datasetId, queueId, viewId, batchId });
    });
  }
}

/** Appends what a view finds to a queue. Idempotent: a medium is in a queue once. */
@JobHandler(FEED_QUEUE)
@Injectable()
export class FeedQueueJob implements JobRunner<FeedPayload> {
  constructor(
    private readonly frozen: FrozenItems,
    private readonly queues: ReviewQueueRepository,
    private readonly items: ReviewItemRepository,
  ) {}

  async run({ datasetId, queueId, viewId, batchId }: FeedPayload, context: JobContext): Promise<void> {
    let ids: readonly string[];
    try {
      ids = await this.frozen.ofView(datasetId, viewId, batchId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await context.complete(() => this.queues.setFeedError(queueId, error.message));
      return;
    }
    for (let start = 0; start < ids.length; start += ADDED_AT_ONCE) {
      context.signal.throwIfAborted();
      await context.commitProgress(() => this.add(queueId, ids.slice(start, start + ADDED_AT_ONCE)));
      failpoint('queue-fed');
    }
    await context.complete(() => this.end(queueId, ids));
  }

  async failed({ queueId }: FeedPayload): Promise<void> {
    await this.queues.setFeedError(queueId, NOT_ADDED);
  }

  private async add(queueId: string, ids: readonly string[]): Promise<void> {
    const queue = await this.queues.lockFed(queueId);
    if (queue === undefined) return;
    const added = await this.items.append(queue, ids, MAX_ITEMS - queue.items);
    await this.queues.grow(queueId, added);
  }

  private async end(queueId: string, ids: readonly string[]): Promise<void> {
    const isFull = await this.items.isAnyMissing(queueId, ids);
    await this.queues.setFeedError(queueId, isFull ? QUEUE_IS_FULL : null);
  }
}
