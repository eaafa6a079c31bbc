import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { QueuePausedError, type ReviewItem, type ReviewQueue } from './domain/review-queue';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { QueuePeople } from './queue-people';

export interface HandedOut {
  readonly items: readonly ReviewItem[];
  /** Whether nothing is left for this person, also of what others have at the moment. */
  readonly finished: boolean;
}

/** Gives items to a person for ten minutes; asking again extends the time of those that the person has. */
@Injectable()
export class HandOutItemsUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly items: ReviewItemRepository,
    private readonly people: QueuePeople,
  ) {}

  async next(queue: ReviewQueue, limit: number, caller: Principal): Promise<HandedOut> {
    this.people.assertAmong(queue, caller);
    if (queue.paused) throw new QueuePausedError();
    const items = await this.transactions.run(() => this.items.lease(queue.id, caller.userId, limit));
    const finished = items.length === 0 && !(await this.items.mayComeBack(queue.id, caller.userId));
    return { items, finished };
  }
}
