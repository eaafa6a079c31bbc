import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { untilDone } from '../../common/platform/concurrency/one-at-a-time';
import type { Principal } from '../../common/platform/http/principal';
import { ChangeSourceUseCase, type SourceEdits } from '../annotations';
import { answerTo, editsOfAnnotation, editsOfMedium, isApplied, isSame, type GivenAnswer } from './domain/answer';
import type { Answer } from './domain/question';
import { progressOf, type ItemProgress } from './domain/consensus';
import {
  AlreadyDecidedError,
  isAnswerable,
  ItemBusyError,
  ItemClosedError,
  ItemGoneError,
  ItemMovedError,
  ItemNotFoundError,
  ItemTakenError,
  type Decision,
  type ReviewItem,
  type ReviewQueue,
  type Verdict,
} from './domain/review-queue';
import { FrozenItems } from './frozen-items';
import { ReviewDecisionRepository } from './persistence/review-decision.repository';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { QueueEnd } from './queue-end';
import { QueuePeople } from './queue-people';

export interface GivenDecision extends GivenAnswer {
  readonly verdict: Verdict;
  readonly reason: string | null;
}

/** Where the item stands after the decision. */
interface Plan {
  readonly progress: ItemProgress;
  /** What the source is changed by; null if it stays as it is. */
  readonly applied: Answer | null;
  readonly isRepeated: boolean;
}

/** Records what a person says about an item. An answer that is agreed on changes the source in the same transaction. */
@Injectable()
export class DecideItemUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly items: ReviewItemRepository,
    private readonly decisions: ReviewDecisionRepository,
    private readonly people: QueuePeople,
    private readonly end: QueueEnd,
    private readonly frozen: FrozenItems,
    private readonly sources: ChangeSourceUseCase,
  ) {}

  async decide(queue: ReviewQueue, itemId: string, given: GivenDecision, caller: Principal): Promise<ReviewItem> {
    this.people.assertAmong(queue, caller);
    const { verdict, reason, ...answer } = given;
    const decision: Decision = {
      itemId,
      userId: caller.userId,
      author: caller.email,
      verdict,
      answer: verdict === 'answer' ? answerTo(queue.question, answer) : null,
      reason,
      decidedAt: new Date(),
    };
    return untilDone(
      () => this.tryToDecide(queue, decision, caller),
      () => new ItemBusyError(),
    );
  }

  /** Undefined if others were faster. */
  private async tryToDecide(
    queue: ReviewQueue,
    decision: Decision,
    caller: Principal,
  ): Promise<{ readonly result: ReviewItem } | undefined> {
    const item = await this.items.find(queue.id, decision.itemId);
    if (item === undefined) throw new ItemNotFoundError();
    const plan = await this.plan(queue, item, decision);
    if (plan.isRepeated) return { result: item };
    const record = (changeId: string | null) => this.record(queue, decision, plan.applied, changeId);
    try {
      if (plan.applied === null) return { result: await this.transactions.run(() => record(null)) };
      const edits = await this.edits(queue, item, plan.applied);
      let result = item;
      await this.sources.edit(queue.datasetId, edits, caller, {
        queueId: queue.id,
        alongside: async ({ changeId, unmatched }) => {
          if (unmatched.length > 0) throw new ItemGoneError('picture');
          result = await record(changeId);
        },
      });
      return { result };
    } catch (error) {
      if (error instanceof ItemMovedError) return undefined;
      throw error;
    }
  }

  private async plan(queue: ReviewQueue, item: ReviewItem, decision: Decision): Promise<Plan> {
    const known = await this.decisions.ofItem(item.id);
    const own = known.find(({ userId }) => userId === decision.userId);
    if (own !== undefined) {
      const isRepeated = own.verdict === decision.verdict && isSame(own.answer, decision.answer);
      if (!isRepeated) throw new AlreadyDecidedError();
    } else if (!isAnswerable(item.state)) throw new ItemClosedError(item.state);
    const isHoneypot = item.expected !== null;
    const progress = progressOf(own === undefined ? [...known, decision] : known, queue, isHoneypot);
    const isAgreed = progress.state === 'done' || progress.state === 'to_review';
    const applied = isAgreed && isApplied(queue) && !isHoneypot ? progress.answer : null;
    return { progress, applied, isRepeated: own !== undefined };
  }

  /** In the transaction that changes the source, if one is changed. */
  private async record(
    queue: ReviewQueue,
    decision: Decision,
    applied: Answer | null,
    changeId: string | null,
  ): Promise<ReviewItem> {
    const { itemId, userId } = decision;
    const item = await this.items.lock(queue.id, itemId);
    if (item === undefined) throw new ItemNotFoundError();
    const plan = await this.plan(queue, item, decision);
    if (plan.isRepeated || !isSame(plan.applied, applied)) throw new ItemMovedError();
    if (await this.items.isTaken(itemId, userId)) throw new ItemTakenError();
    const { progress } = plan;
    await this.decisions.insert(queue.id, decision);
    await this.items.saveProgress(itemId, userId, { ...progress, changeId });
    await this.end.moved(queue, item.state, progress.state);
    return { ...item, state: progress.state, answer: progress.answer, changeId };
  }

  private async edits(
    { datasetId, question, itemSource }: ReviewQueue,
    item: ReviewItem,
    answer: Answer,
  ): Promise<SourceEdits> {
    const { mediaId, annotationId } = item;
    const { source } = question;
    const edits =
      annotationId === null || itemSource === null
        ? editsOfMedium(answer, question)
        : editsOfAnnotation(
            answer,
            await this.frozen.annotation(datasetId, itemSource, mediaId, annotationId),
            itemSource === source,
          );
    return { source, kind: 'truth', modelId: null, mode: 'merge', pictures: [{ picture: { mediaId }, edits }] };
  }
}
