import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetReader } from '../datasets';
import { DomainEvents } from '../events';
import { NotificationRepository } from '../notifications';
import {
  ItemNotFoundError,
  NotReviewableError,
  OwnAnswerError,
  type Decision,
  type ItemState,
  type ReviewItem,
  type ReviewQueue,
} from './domain/review-queue';
import { AnswerUndo, type ReviewedItem } from './answer-undo';
import { ReviewDecisionRepository } from './persistence/review-decision.repository';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { QueueEnd } from './queue-end';

export interface GivenReview {
  readonly accepted: boolean;
  readonly reason: string | null;
}

/** Accepts or rejects what others said about an item. A rejected item goes back to its authors. */
@Injectable()
export class ReviewAnswerUseCase {
  constructor(
    private readonly items: ReviewItemRepository,
    private readonly decisions: ReviewDecisionRepository,
    private readonly end: QueueEnd,
    private readonly undo: AnswerUndo,
    private readonly datasets: DatasetReader,
    private readonly notifications: NotificationRepository,
    private readonly events: DomainEvents,
    private readonly audit: AuditLog,
  ) {}

  async review(queue: ReviewQueue, itemId: string, given: GivenReview, caller: Principal): Promise<ReviewedItem> {
    const item = await this.items.find(queue.id, itemId);
    if (item === undefined) throw new ItemNotFoundError();
    await this.assertReviewable(item, caller);
    // If the annotations were changed again, that stays, and the authors see it when the item comes back.
    return this.undo.beside(queue, given.accepted ? null : item.changeId, caller, () =>
      this.record(queue, item, given, caller),
    );
  }

  private async record(
    queue: ReviewQueue,
    known: ReviewItem,
    { accepted, reason }: GivenReview,
    caller: Principal,
  ): Promise<ReviewItem> {
    const item = await this.items.lock(queue.id, known.id);
    if (item === undefined) throw new ItemNotFoundError();
    const decisions = await this.assertReviewable(item, caller);
    await this.decisions.review(item.id, { accepted, by: caller.email, reason, at: new Date() });
    const state: ItemState = accepted ? (item.state === 'flagged' ? 'flagged' : 'done') : 'rejected';
    if (accepted) await this.items.setState(item.id, state);
    else await this.giveBack(queue, item, decisions, reason, caller);
    await this.end.moved(queue, item.state, state);
    return { ...item, state, ...(accepted ? {} : { answer: null, changeId: null }) };
  }

  private async giveBack(
    queue: ReviewQueue,
    { id, mediaId }: ReviewItem,
    decisions: readonly Decision[],
    reason: string | null,
    caller: Principal,
  ): Promise<void> {
    const { id: queueId, datasetId, name: queueName } = queue;
    const authors = decisions.map(({ userId }) => userId);
    await this.items.giveBack(queueId, id, authors, queue.agreement);
    const { displayName: datasetName } = await this.datasets.get(datasetId);
    const metadata = { item_id: id, queue_name: queueName, dataset_name: datasetName, rejected_by: caller.email };
    const title = `An item of '${queueName}' was rejected`;
    const notification = { entityType: 'review_queue', entityId: queueId, title, message: reason, metadata } as const;
    const now = new Date();
    await this.notifications.insert(
      authors.map((userId) => ({ ...notification, userId, datasetId })),
      now,
    );
    await this.audit.recordBy(caller, 'review_item_rejected', datasetId, { queue: queueName, item: id, reason });
    await this.events.record({
      type: 'item.rejected',
      datasetId,
      datasetName,
      queueId,
      queueName,
      itemId: id,
      mediaId,
      reason,
      rejectedBy: caller.email,
      rejectedAt: now.toISOString(),
    });
  }

  /** Returns the decisions. */
  private async assertReviewable({ id, state }: ReviewItem, { userId }: Principal): Promise<readonly Decision[]> {
    if (state !== 'to_review' && state !== 'flagged') throw new NotReviewableError(state);
    const decisions = await this.decisions.ofItem(id);
    if (decisions.some((decision) => decision.userId === userId)) throw new OwnAnswerError();
    return decisions;
  }
}
