import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
} from '../../../common/platform/errors/domain-error';
import type { Answer, Question } from './question';

export const MAX_ITEMS = 100_000;
export const MAX_QUEUES = 200;
export const MAX_AGREEMENT = 10;

export const CONSENSUS = ['vote', 'third'] as const;
export type Consensus = (typeof CONSENSUS)[number];

/** How items are answered. */
export interface QueueRules {
  readonly question: Question;
  /** How many people must answer an item. */
  readonly agreement: number;
  readonly consensus: Consensus;
  /** Whether somebody else than the author accepts or rejects each answer. */
  readonly reviewed: boolean;
}

export interface ReviewQueue extends QueueRules {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly description: string;
  /** The source whose annotations are the items; null if the items are media. */
  readonly itemSource: string | null;
  /** Ids of those who may answer; null for all editors. */
  readonly people: readonly string[] | null;
  readonly dueAt: Date | null;
  /** The view whose new matches become items; null if the items are only those of the beginning. */
  readonly viewId: string | null;
  /** Why the last matches of the view are no items. */
  readonly feedError: string | null;
  readonly paused: boolean;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly items: number;
  /** Items that are not done, skipped or flagged. */
  readonly left: number;
  readonly finishedAt: Date | null;
}

export const ITEM_STATES = ['open', 'skipped', 'rejected', 'to_review', 'done', 'flagged'] as const;
/** `skipped` items are handed out after the open ones, `rejected` ones to their authors. */
export type ItemState = (typeof ITEM_STATES)[number];

export const isAnswerable = (state: ItemState): boolean => ['open', 'skipped', 'rejected'].includes(state);
export const isLeft = (state: ItemState): boolean => ['open', 'rejected', 'to_review'].includes(state);

/** An item before it is stored. */
export interface NewItem {
  readonly mediaId: string;
  readonly annotationId: string | null;
  /** The known answer of a honeypot. */
  readonly expected: Answer | null;
}

export interface ReviewItem extends NewItem {
  readonly id: string;
  readonly position: number;
  readonly state: ItemState;
  /** What was agreed on; null before. */
  readonly answer: Answer | null;
  /** Of the annotations, if the answer changed some. */
  readonly changeId: string | null;
}

export const VERDICTS = ['answer', 'skip', 'flag'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What one person said about an item. */
export interface Decision {
  readonly itemId: string;
  readonly userId: string;
  /** E-mail address. */
  readonly author: string;
  readonly verdict: Verdict;
  readonly answer: Answer | null;
  readonly reason: string | null;
  readonly decidedAt: Date;
}

export class QueueNotFoundError extends NotFoundError {
  constructor() {
    super('Review queue not found');
  }
}

export class ItemNotFoundError extends NotFoundError {
  constructor() {
    super('Review item not found');
  }
}

export class QueueNameTakenError extends ConflictError {
  constructor(name: string) {
    super(`A review queue named '${name}' already exists in this dataset`);
  }
}

export class TooManyQueuesError extends ConflictError {
  constructor() {
    super(`This dataset has ${MAX_QUEUES} review queues, which is the limit. Delete one first.`);
  }
}

export class NothingToReviewError extends BadRequestError {
  constructor() {
    super('Nothing matches, so the queue would have no items. Choose others.');
  }
}

export class TooManyItemsError extends BadRequestError {
  constructor(found: number) {
    super(`${found} items match, but a queue has at most ${MAX_ITEMS}. Choose fewer, or give a limit.`);
  }
}

export class ViewOfOthersError extends BadRequestError {
  constructor() {
    super('The view is of objects or videos. Only a view of images can feed a review queue.');
  }
}

export const QUEUE_IS_FULL = `Matches of the view were left out: a queue has at most ${MAX_ITEMS} items.`;

export class NoPictureError extends BadRequestError {
  constructor(id: string) {
    super(`Media ${id} is no image and no frame. Only those can be items of a queue.`);
  }
}

export class UnknownPersonError extends NotFoundError {
  constructor(person: string, right: 'see' | 'change') {
    super(`No user with this id or e-mail address may ${right} the dataset: ${person}`);
  }
}

export class NotAmongPeopleError extends ForbiddenError {
  constructor() {
    super('This queue is for other people');
  }
}

export class QueuePausedError extends ConflictError {
  constructor() {
    super('The queue is paused');
  }
}

export class ItemTakenError extends ConflictError {
  constructor() {
    super('Somebody else has this item now. Ask for the next one.');
  }
}

export class ItemClosedError extends ConflictError {
  constructor(state: ItemState) {
    super(`The item takes no more answers: it is ${state.replace('_', ' ')}`);
  }
}

export class AlreadyDecidedError extends ConflictError {
  constructor() {
    super('You have decided otherwise on this item already');
  }
}

export class NotDecidedError extends ConflictError {
  constructor() {
    super('You have decided nothing on this item');
  }
}

export class AnswerReviewedError extends ConflictError {
  constructor() {
    super('Somebody else has reviewed what you said about this item, so it stays');
  }
}

export class NotReviewableError extends ConflictError {
  constructor(state: ItemState) {
    super(`The item is not to be reviewed: it is ${state.replace('_', ' ')}`);
  }
}

export class OwnAnswerError extends ForbiddenError {
  constructor() {
    super('You have decided on this item: somebody else has to review it');
  }
}

export class TooManyCommentsError extends ConflictError {
  constructor(most: number) {
    super(`This item has ${most} comments, which is the limit`);
  }
}

export class ItemGoneError extends ConflictError {
  constructor(what: 'picture' | 'annotation') {
    super(`The ${what} of this item is no longer in the dataset. Skip or flag the item.`);
  }
}

/** Others decided on the item since it was read. */
export class ItemMovedError extends Error {}

/** Every attempt met a decision of somebody else. */
export class ItemBusyError extends ConflictError {
  constructor() {
    super('Others are deciding on this item. Try again.');
  }
}
