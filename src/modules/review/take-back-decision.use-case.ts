import { Injectable } from '@nestjs/common';
import { untilDone } from '../../common/platform/concurrency/one-at-a-time';
import type { Principal } from '../../common/platform/http/principal';
import { AnswerUndo, type ReviewedItem } from './answer-undo';
import { isSame } from './domain/answer';
import { progressOf, type ItemProgress } from './domain/consensus';
import {
  AnswerReviewedError,
  ItemBusyError,
  ItemMovedError,
  ItemNotFoundError,
  NotDecidedError,
  type ReviewItem,
  type ReviewQueue,
} from './domain/review-queue';
import { ReviewDecisionRepository } from './persistence/review-decision.repository';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { QueueEnd } from './queue-end';

interface Plan {
  readonly progress: ItemProgress;
  /** What is undone; null if the others agree on the same answer, or if none was applied. */
  readonly undone: string | null;
}

/** Takes back what a person said about an item, with what it changed. The person gets the item again. */
@Injectable()
export class TakeBackDecisionUseCase {
  constructor(
    private readonly items: ReviewItemRepository,
    private readonly decisions: ReviewDecisionRepository,
    private readonly end: QueueEnd,
    private readonly undo: AnswerUndo,
  ) {}

  takeBack(queue: ReviewQueue, itemId: string, caller: Principal): Promise<ReviewedItem> {
    return untilDone(
      () => this.tryToTakeBack(queue, itemId, caller),
      () => new ItemBusyError(),
    );
  }

  /** Undefined if others were faster. */
  private async tryToTakeBack(
    queue: ReviewQueue,
    itemId: string,
    caller: Principal,
  ): Promise<{ readonly result: ReviewedItem } | undefined> {
    const item = await this.items.find(queue.id, itemId);
    if (item === undefined) throw new ItemNotFoundError();
    const { undone } = await this.plan(queue, item, caller);
    try {
      return {
        result: await this.undo.beside(queue, undone, caller, () => this.record(queue, itemId, undone, caller)),
      };
    } catch (error) {
      if (error instanceof ItemMovedError) return undefined;
      throw error;
    }
  }

  private async plan(queue: ReviewQueue, item: ReviewItem, { userId }: Principal): Promise<Plan> {
    const known = await this.decisions.ofItem(item.id);
    const own = known.find((decision) => decision.userId === userId);
    if (own === undefined) throw new NotDecidedError();
    if (own.accepted !== null) throw new AnswerReviewedError();
    const others = known.filter((decision) => decision !== own);
    const progress = progressOf(others, queue, item.expected !== null);
    return { progress, undone: isSame(progress.answer, item.answer) ? null : item.changeId };
  }

  private async record(
    queue: ReviewQueue,
    itemId: string,
    undone: string | null,
    caller: Principal,
  ): Promise<ReviewItem> {
    const item = await this.items.lock(queue.id, itemId);
    if (item === undefined) throw new ItemNotFoundError();
    const plan = await this.plan(queue, item, caller);
    if (plan.undone !== undone) throw new ItemMovedError();
    const { progress } = plan;
    const changeId = undone === null ? item.changeId : null;
    await this.decisions.remove(itemId, caller.userId);
    await this.items.reopen(queue.id, itemId, caller.userId, { ...progress, changeId });
    await this.end.moved(queue, item.state, progress.state);
    return { ...item, state: progress.state, answer: progress.answer, changeId };
  }
}
