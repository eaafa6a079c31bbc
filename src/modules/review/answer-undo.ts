import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { ConflictError } from '../../common/platform/errors/domain-error';
import type { Principal } from '../../common/platform/http/principal';
import { UndoChangeUseCase } from '../annotations';
import type { ReviewItem, ReviewQueue } from './domain/review-queue';

export interface ReviewedItem {
  readonly item: ReviewItem;
  /** Whether the annotations are as they were before the answer; null if it had changed none. */
  readonly undone: boolean | null;
}

/** Undoes what the answer to an item changed, in one transaction with what happens to the item. */
@Injectable()
export class AnswerUndo {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly undoChange: UndoChangeUseCase,
  ) {}

  /** Annotations that were changed again stay. `record` may then run a second time, and nothing of the first one is kept. */
  async beside(
    { datasetId }: ReviewQueue,
    changeId: string | null,
    caller: Principal,
    record: () => Promise<ReviewItem>,
  ): Promise<ReviewedItem> {
    if (changeId === null) return { item: await this.transactions.run(record), undone: null };
    try {
      let item: ReviewItem | undefined;
      await this.undoChange.undo(datasetId, changeId, caller, async () => {
        item = await record();
      });
      return { item: item!, undone: true };
    } catch (error) {
      if (error instanceof ConflictError) return { item: await this.transactions.run(record), undone: false };
      throw error;
    }
  }
}
