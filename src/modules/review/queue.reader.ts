import { Injectable } from '@nestjs/common';
import { agreementOf, cohenKappa, type AgreementFigures } from '../../common/engine/evaluation/agreement';
import {
  ItemNotFoundError,
  QueueNotFoundError,
  type ItemState,
  type ReviewItem,
  type ReviewQueue,
} from './domain/review-queue';
import { ReviewDecisionRepository, type ReviewDecisionEntity } from './persistence/review-decision.repository';
import { ReviewFiguresReadModel, type LabelFigures, type PersonFigures } from './persistence/review-figures.read-model';
import { ReviewItemRepository, type ItemsAsked } from './persistence/review-item.repository';
import { ReviewQueueRepository } from './persistence/review-queue.repository';

export interface QueueProgress {
  readonly states: ReadonlyMap<ItemState, number>;
  /** Items that people have at the moment. */
  readonly leased: number;
  readonly ratePerHour: number;
  readonly people: readonly PersonFigures[];
  readonly labels: readonly LabelFigures[];
  readonly agreement: AgreementFigures & { readonly cohenKappa: number | null };
}

/** Part of a list, and where the next one begins. */
export interface ListPart<T> {
  readonly listed: readonly T[];
  readonly next: string | null;
}

@Injectable()
export class QueueReader {
  constructor(
    private readonly queues: ReviewQueueRepository,
    private readonly itemRows: ReviewItemRepository,
    private readonly decisionRows: ReviewDecisionRepository,
    private readonly figures: ReviewFiguresReadModel,
  ) {}

  list(datasetId: string): Promise<readonly ReviewQueue[]> {
    return this.queues.list(datasetId);
  }

  async get(datasetId: string, id: string): Promise<ReviewQueue> {
    const queue = await this.queues.find(datasetId, id);
    if (queue === undefined) throw new QueueNotFoundError();
    return queue;
  }

  async progress({ id }: ReviewQueue): Promise<QueueProgress> {
    const [states, leased, ratePerHour, people, labels, patterns, pairs] = await Promise.all([
      this.itemRows.counts(id),
      this.itemRows.leased(id),
      this.figures.rate(id),
      this.figures.byPerson(id),
      this.figures.byLabel(id),
      this.figures.patterns(id),
      this.figures.pairs(id),
    ]);
    const agreement = { ...agreementOf(patterns), cohenKappa: pairs && cohenKappa(pairs) };
    return { states, leased, ratePerHour, people, labels, agreement };
  }

  async item(queue: ReviewQueue, id: string): Promise<ReviewItem> {
    const item = await this.itemRows.find(queue.id, id);
    if (item === undefined) throw new ItemNotFoundError();
    return item;
  }

  async items({ id }: ReviewQueue, asked: ItemsAsked): Promise<ListPart<ReviewItem>> {
    const listed = await this.itemRows.list(id, { ...asked, limit: asked.limit + 1 });
    return partOf(listed, asked.limit, ({ position }) => String(position));
  }

  /** All that people said, oldest first. */
  async decisions(
    { id }: ReviewQueue,
    after: number | undefined,
    limit: number,
  ): Promise<ListPart<ReviewDecisionEntity>> {
    const listed = await this.decisionRows.list(id, after, limit + 1);
    return partOf(listed, limit, ({ number }) => number);
  }
}

const partOf = <T>(listed: readonly T[], limit: number, placeOf: (last: T) => string): ListPart<T> => ({
  listed: listed.slice(0, limit),
  next: listed.length > limit ? placeOf(listed[limit - 1]!) : null,
});
