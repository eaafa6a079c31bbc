import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { NotificationRepository } from '../notifications';
import { QueueNameTakenError, QueueNotFoundError, type ReviewQueue } from './domain/review-queue';
import { ReviewQueueRepository, type QueueChanges } from './persistence/review-queue.repository';
import { QueuePeople } from './queue-people';

/** Changes a queue, whose items and question stay. */
@Injectable()
export class ChangeQueueUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly queues: ReviewQueueRepository,
    private readonly people: QueuePeople,
    private readonly notifications: NotificationRepository,
    private readonly audit: AuditLog,
  ) {}

  async change(datasetId: string, id: string, changes: QueueChanges, caller: Principal): Promise<ReviewQueue> {
    const named = changes.people && (await this.people.idsOf(datasetId, changes.people));
    return this.transactions.run(async () => {
      const before = await this.get(datasetId, id);
      const { name = before.name, description = before.description, dueAt = before.dueAt } = changes;
      const { paused = before.paused } = changes;
      const people = named === undefined ? before.people : named;
      if (name !== before.name && (await this.queues.existsNamed(datasetId, name))) throw new QueueNameTakenError(name);
      await this.queues.change(id, { name, description, dueAt, paused, people });
      await this.audit.recordBy(caller, 'review_queue_changed', datasetId, {
        name: before.name,
        new_name: name,
        paused,
      });
      return { ...before, name, description, dueAt, paused, people };
    });
  }

  /** Also deletes its items, decisions, comments and notifications. What was answered stays. */
  async delete(datasetId: string, id: string, caller: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const { name } = await this.get(datasetId, id);
      await this.queues.delete(datasetId, id);
      await this.notifications.deleteOf('review_queue', id);
      await this.audit.recordBy(caller, 'review_queue_deleted', datasetId, { name });
    });
  }

  private async get(datasetId: string, id: string): Promise<ReviewQueue> {
    const queue = await this.queues.find(datasetId, id);
    if (queue === undefined) throw new QueueNotFoundError();
    return queue;
  }
}
