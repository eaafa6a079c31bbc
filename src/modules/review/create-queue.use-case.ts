import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { answerTo, type GivenAnswer } from './domain/answer';
import {
  MAX_QUEUES,
  QueueNameTakenError,
  TooManyQueuesError,
  type QueueRules,
  type ReviewQueue,
} from './domain/review-queue';
import { FEED_QUEUE } from './feed-queue.job';
import { FrozenItems, type AskedItems } from './frozen-items';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { ReviewQueueRepository } from './persistence/review-queue.repository';
import { QueuePeople } from './queue-people';

export interface AskedQueue extends QueueRules {
  readonly name: string;
  readonly description: string;
  readonly items: AskedItems;
  readonly dueAt: Date | null;
  /** Ids or e-mail addresses. */
  readonly people: readonly string[] | null;
  readonly honeypots: readonly { readonly mediaId: string; readonly answer: GivenAnswer }[];
  readonly seed: number;
}

/** Makes a queue of what is found now. */
@Injectable()
export class CreateQueueUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly frozen: FrozenItems,
    private readonly people: QueuePeople,
    private readonly queues: ReviewQueueRepository,
    private readonly items: ReviewItemRepository,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
  ) {}

  async create(datasetId: string, asked: AskedQueue, caller: Principal): Promise<ReviewQueue> {
    const { items: wanted, people, honeypots, seed, ...words } = asked;
    const known = honeypots.map(({ mediaId, answer }, at) => ({
      mediaId,
      answer: answerTo(words.question, answer, ['body', 'honeypots', at, 'answer']),
    }));
    if (await this.queues.existsNamed(datasetId, words.name)) throw new QueueNameTakenError(words.name);
    const ids = people && (await this.people.idsOf(datasetId, people));
    const found = await this.frozen.find(datasetId, wanted, known, seed);
    const queue: ReviewQueue = {
      ...words,
      id: randomUUID(),
      datasetId,
      people: ids,
      itemSource: wanted.kind === 'annotations' ? wanted.of.source : null,
      viewId: wanted.kind === 'view' ? wanted.of : null,
      feedError: null,
      paused: false,
      createdAt: new Date(),
      createdBy: caller.email,
      items: found.length,
      left: found.length,
      finishedAt: null,
    };
    await this.transactions.run(async () => {
      if ((await this.queues.count(datasetId)) >= MAX_QUEUES) throw new TooManyQueuesError();
      if (!(await this.queues.insert(queue))) throw new QueueNameTakenError(queue.name);
      await this.items.insert(queue.id, queue.agreement, found);
      await this.feedLater(queue);
      await this.audit.recordBy(caller, 'review_queue_created', datasetId, { name: queue.name, items: found.length });
    });
    return queue;
  }

  /** A batch may have come since the view was searched. */
  private async feedLater({ id: queueId, datasetId, viewId }: ReviewQueue): Promise<void> {
    if (viewId !== null) await this.jobs.enqueue(FEED_QUEUE, { datasetId, queueId, viewId, batchId: null });
  }
}
