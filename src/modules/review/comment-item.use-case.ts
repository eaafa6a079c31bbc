import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader } from '../datasets';
import { NotificationRepository } from '../notifications';
import { TooManyCommentsError, type ReviewItem, type ReviewQueue } from './domain/review-queue';
import { ReviewCommentRepository, type ReviewComment } from './persistence/review-comment.repository';
import { QueuePeople } from './queue-people';

const MOST_COMMENTS = 500;

/** Comments on an item, with a notification to everybody who is mentioned. */
@Injectable()
export class CommentItemUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly people: QueuePeople,
    private readonly comments: ReviewCommentRepository,
    private readonly notifications: NotificationRepository,
  ) {}

  list({ id }: ReviewItem): Promise<readonly ReviewComment[]> {
    return this.comments.list(id);
  }

  /** `mentions` are e-mail addresses. */
  async add(
    { id: queueId, datasetId, name }: ReviewQueue,
    { id: itemId }: ReviewItem,
    { text, mentions }: { readonly text: string; readonly mentions: readonly string[] },
    caller: Principal,
  ): Promise<ReviewComment> {
    const mentioned = await this.people.find(datasetId, mentions, 'read');
    const { displayName } = await this.datasets.get(datasetId);
    return this.transactions.run(async () => {
      if ((await this.comments.count(itemId)) >= MOST_COMMENTS) throw new TooManyCommentsError(MOST_COMMENTS);
      const createdAt = new Date();
      const emails = mentioned.map(({ email }) => email);
      const comment = await this.comments.insert(itemId, { author: caller.email, text, mentions: emails, createdAt });
      const metadata = { item_id: itemId, queue_name: name, dataset_name: displayName, comment_by: caller.email };
      const title = `You are mentioned in '${name}'`;
      await this.notifications.insert(
        mentioned
          .filter(({ userId }) => userId !== caller.userId)
          .map(({ userId }) => ({
            userId,
            entityType: 'review_queue',
            entityId: queueId,
            title,
            message: text,
            metadata,
            datasetId,
          })),
        createdAt,
      );
      return comment;
    });
  }
}
