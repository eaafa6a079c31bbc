import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { ChangeQueueUseCase } from '../change-queue.use-case';
import { CreateQueueUseCase, type AskedQueue } from '../create-queue.use-case';
import { HandOutItemsUseCase } from '../hand-out-items.use-case';
import { QueueReader } from '../queue.reader';
import {
  decisionsResponse,
  handedOutResponse,
  presentDecision,
  presentItem,
  presentProgress,
  presentQueue,
  progressResponse,
  queueResponse,
  queuesResponse,
} from './queue.presenter';
import {
  decisionsQuery,
  MAX_QUEUE_BYTES,
  newQueueBody,
  nextBody,
  queueChangeBody,
  queuePath,
  type DecisionsQuery,
  type NextBody,
  type QueueChangeBody,
  type QueuePath,
} from './queue.schemas';

type DatasetPath = z.output<typeof datasetPath>;

@ApiTags('Review')
@Controller('api/v1/dataset/:dataset_id/review_queues')
export class ReviewQueueController {
  constructor(
    private readonly reader: QueueReader,
    private readonly createQueue: CreateQueueUseCase,
    private readonly changeQueue: ChangeQueueUseCase,
    private readonly handOut: HandOutItemsUseCase,
  ) {}

  @Post()
  @DatasetAccess('own')
  @RateLimited('search')
  @MaxBodyBytes(MAX_QUEUE_BYTES)
  @ApiOperation({
    summary: 'Make a review queue of a search, of media, of the annotations of a source, or of a view',
    description:
      'The items are those that are found now: later changes of the dataset change the queue no more. A view also adds what it finds in later batches.',
  })
  @ApiCreatedResponse({ standardSchema: queueResponse })
  @MayFail(400, 404, 409)
  async create(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: newQueueBody }) body: AskedQueue,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof queueResponse>> {
    return presentQueue(await this.createQueue.create(datasetId, body, caller));
  }

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The review queues of a dataset, newest first' })
  @ApiOkResponse({ standardSchema: queuesResponse })
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
  ): Promise<z.infer<typeof queuesResponse>> {
    return { queues: (await this.reader.list(datasetId)).map(presentQueue) };
  }

  @Get(':queue_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'A review queue with its progress' })
  @ApiOkResponse({ standardSchema: progressResponse })
  async get(@Param({ schema: queuePath }) path: QueuePath): Promise<z.infer<typeof progressResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    return presentProgress(queue, await this.reader.progress(queue));
  }

  @Patch(':queue_id')
  @DatasetAccess('own')
  @ApiOperation({
    summary: 'Change the name, the description, the due date or the people of a review queue, or pause it',
  })
  @ApiOkResponse({ standardSchema: queueResponse })
  @MayFail(409)
  async change(
    @Param({ schema: queuePath }) { dataset_id: datasetId, queue_id: id }: QueuePath,
    @Body({ schema: queueChangeBody }) changes: QueueChangeBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof queueResponse>> {
    return presentQueue(await this.changeQueue.change(datasetId, id, changes, caller));
  }

  @Delete(':queue_id')
  @HttpCode(204)
  @DatasetAccess('own')
  @ApiOperation({
    summary: 'Delete a review queue with its items, decisions and comments',
    description: 'Annotations that were made by answers stay.',
  })
  @ApiNoContentResponse()
  async delete(@Param({ schema: queuePath }) path: QueuePath, @CurrentPrincipal() caller: Principal): Promise<void> {
    await this.changeQueue.delete(path.dataset_id, path.queue_id, caller);
  }

  @Post(':queue_id/next')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'The next items for the caller, for ten minutes',
    description:
      'Items that the caller has already come first and are extended. Nobody else gets them meanwhile, unless several people must agree.',
  })
  @ApiOkResponse({ standardSchema: handedOutResponse })
  @MayFail(409)
  async next(
    @Param({ schema: queuePath }) path: QueuePath,
    @Body({ schema: nextBody }) { limit }: NextBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof handedOutResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const { items, finished } = await this.handOut.next(queue, limit, caller);
    return { items: items.map(presentItem), finished };
  }

  @Get(':queue_id/decisions')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'All that people said about the items of a review queue, oldest first' })
  @ApiOkResponse({ standardSchema: decisionsResponse })
  async decisions(
    @Param({ schema: queuePath }) path: QueuePath,
    @Query({ schema: decisionsQuery }) { cursor, limit }: DecisionsQuery,
  ): Promise<z.infer<typeof decisionsResponse>> {
    const queue = await this.reader.get(path.dataset_id, path.queue_id);
    const { listed, next } = await this.reader.decisions(queue, cursor, limit);
    return { decisions: listed.map(presentDecision), next_cursor: next };
  }
}
