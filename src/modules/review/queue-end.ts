import { Injectable } from '@nestjs/common';
import { DatasetReader } from '../datasets';
import { DomainEvents } from '../events';
import { isLeft, type ItemState, type ReviewQueue } from './domain/review-queue';
import { ReviewQueueRepository } from './persistence/review-queue.repository';

/** Counts what is left of a queue, and tells of its end. */
@Injectable()
export class QueueEnd {
  constructor(
    private readonly queues: ReviewQueueRepository,
    private readonly datasets: DatasetReader,
    private readonly events: DomainEvents,
  ) {}

  /** In the transaction that changes the state of an item. */
  async moved({ id, datasetId, name, items }: ReviewQueue, from: ItemState, to: ItemState): Promise<void> {
    const difference = Number(isLeft(to)) - Number(isLeft(from));
    if (difference === 0) return;
    const now = new Date();
    if (!(await this.queues.countLeft(id, difference, now))) return;
    const { displayName: datasetName } = await this.datasets.get(datasetId);
    await this.events.record({
      type: 'queue.finished',
      datasetId,
      datasetName,
      queueId: id,
      queueName: name,
      items,
      finishedAt: now.toISOString(),
    });
  }
}
