import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnnotationsModule } from '../annotations';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { NotificationsModule } from '../notifications';
import { SearchModule } from '../search';
import { VersionsModule } from '../versions';
import { AnswerUndo } from './answer-undo';
import { ViewsModule } from '../views';
import { ChangeQueueUseCase } from './change-queue.use-case';
import { CommentItemUseCase } from './comment-item.use-case';
import { CreateQueueUseCase } from './create-queue.use-case';
import { DecideItemUseCase } from './decide-item.use-case';
import { FeedQueueJob, ViewMatchListener } from './feed-queue.job';
import { FrozenItems } from './frozen-items';
import { HandOutItemsUseCase } from './hand-out-items.use-case';
import { ReviewItemController } from './http/item.controller';
import { ReviewQueueController } from './http/queue.controller';
import { ReviewCommentRepository } from './persistence/review-comment.repository';
import { ReviewDecisionRepository } from './persistence/review-decision.repository';
import { ReviewFiguresReadModel } from './persistence/review-figures.read-model';
import { ReviewItemRepository } from './persistence/review-item.repository';
import { ReviewQueueRepository } from './persistence/review-queue.repository';
import { reviewPersistence } from './persistence/schema';
import { QueueEnd } from './queue-end';
import { QueuePeople } from './queue-people';
import { QueueReader } from './queue.reader';
import { ReviewAnswerUseCase } from './review-answer.use-case';
import { TakeBackDecisionUseCase } from './take-back-decision.use-case';

@Module({
  imports: [
    TypeOrmModule.forFeature(reviewPersistence.entities),
    AnnotationsModule,
    AuditModule,
    DatasetsModule,
    EventsModule,
    NotificationsModule,
    SearchModule,
    VersionsModule,
    ViewsModule,
  ],
  controllers: [ReviewQueueController, ReviewItemController],
  providers: [
    ReviewQueueRepository,
    ReviewItemRepository,
    ReviewDecisionRepository,
    ReviewCommentRepository,
    ReviewFiguresReadModel,
    FrozenItems,
    FeedQueueJob,
    ViewMatchListener,
    QueuePeople,
    QueueReader,
    QueueEnd,
    CreateQueueUseCase,
    ChangeQueueUseCase,
    HandOutItemsUseCase,
    DecideItemUseCase,
    AnswerUndo,
    ReviewAnswerUseCase,
    TakeBackDecisionUseCase,
    CommentItemUseCase,
  ],
})
export class ReviewModule {}
