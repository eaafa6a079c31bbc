import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { formatTimestamp } from '../../../common/platform/http/query-values';
import { CommentItemUseCase } from '../comment-item.use-case';
import { DecideItemUseCase } from '../decide-item.use-case';
import { QueueReader } from '../queue.reader';
import { ReviewAnswerUseCase } from '../review-answer.use-case';
import { TakeBackDecisionUseCase } from '../take-back-decision.use-case';
import {
  commentResponse,
  commentsResponse,
  itemResponse,
  itemsResponse,
  presentItem,
  reviewedResponse,
} from './queue.presenter';
import {
  commentBody,
  decisionBody,
  itemPath,
  itemsQuery,
  queuePath,
  reviewBody,
  type CommentBody,
  type DecisionBody,
  type ItemPath,
  type ItemsQuery,
  type QueuePath,
  type ReviewBody,
} from './queue.schemas';

type Comment = z.infer<typeof commentResponse>;

const presentComment = ({
  createdAt,
  ...comment
}: Omit<Comment, 'created_at'> & { readonly createdAt: Date }): Comment => ({
  id: comment.id,
  author: comment.author,
  text: comment.text,
  mentions: comment.mentions,
  created_at: formatTimestamp(createdAt),
});

@ApiTags('Review')
@Controller('api/v1/dataset/:dataset_id/review_queues/:queue_id/items')
export class ReviewItemController {
  constructor(
    private readonly reader: QueueReader,
    private readonly decideItem: DecideItemUseCase,
    private readonly takeBackDecision: TakeBackDecisionUseCase,
    private readonly reviewAnswer: ReviewAnswerUseCase,
    private readonly comments: CommentItemUseCase,
  ) {}

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The items of a review queue, in their order' })
  @ApiOkResponse({ standardSchema: itemsResponse })
  async list(
    @Param({ schema: queuePath }) path: QueuePath,
    @Query({ schema: itemsQuery }) { cursor, ...asked }: ItemsQuery,
  ): Promise<z.infer<typeof itemsResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const { listed, next } = await this.reader.items(queue, { ...asked, after: cursor });
    return { items: listed.map(presentItem), next_cursor: next };
  }

  @Post(':item_id/decision')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Answer, skip or flag an item',
    description:
      'The answer that is agreed on changes the source of the question at once. The same decision again changes nothing.',
  })
  @ApiOkResponse({ standardSchema: itemResponse })
  @MayFail(403, 409)
  async decide(
    @Param({ schema: itemPath }) path: ItemPath,
    @Body({ schema: decisionBody }) body: DecisionBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof itemResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    return presentItem(await this.decideItem.decide(queue, path.item_id, body, caller));
  }

  @Delete(':item_id/decision')
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Take back what you said about an item',
    description:
      'What the answer changed is undone, and you have the item again. What somebody else has reviewed stays. It is no longer among the decisions.',
  })
  @ApiOkResponse({ standardSchema: reviewedResponse })
  @MayFail(409)
  async takeBack(
    @Param({ schema: itemPath }) path: ItemPath,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof reviewedResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const { item, undone } = await this.takeBackDecision.takeBack(queue, path.item_id, caller);
    return { ...presentItem(item), undone };
  }

  @Post(':item_id/review')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Accept or reject what others said about an item',
    description:
      'Of a queue whose answers are reviewed, and of flagged items. A rejected item goes back to its authors, and its annotations become what they were.',
  })
  @ApiOkResponse({ standardSchema: reviewedResponse })
  @MayFail(403, 409)
  async review(
    @Param({ schema: itemPath }) path: ItemPath,
    @Body({ schema: reviewBody }) body: ReviewBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof reviewedResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const { item, undone } = await this.reviewAnswer.review(queue, path.item_id, body, caller);
    return { ...presentItem(item), undone };
  }

  @Get(':item_id/comments')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The comments on an item, oldest first' })
  @ApiOkResponse({ standardSchema: commentsResponse })
  async listComments(@Param({ schema: itemPath }) path: ItemPath): Promise<z.infer<typeof commentsResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const comments = await this.comments.list(await this.reader.item(queue, path.item_id));
    return { comments: comments.map(presentComment) };
  }

  @Post(':item_id/comments')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Comment on an item' })
  @ApiCreatedResponse({ standardSchema: commentResponse })
  @MayFail(409)
  async comment(
    @Param({ schema: itemPath }) path: ItemPath,
    @Body({ schema: commentBody }) body: CommentBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<Comment> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const item = await this.reader.item(queue, path.item_id);
    return presentComment(await this.comments.add(queue, item, body, caller));
  }
}
