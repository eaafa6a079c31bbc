import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';

/** A decision about a group of near duplicates: which media are kept and which removed. Without removed media, they are different pictures. */
export interface Decision {
  readonly id: string;
  /** Ascending, unique within the dataset. */
  readonly number: number;
  /** Decisions that were made, and can be undone, together. */
  readonly batchId: string;
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  /** The tag that removed media got. */
  readonly tagId: string | null;
  /** E-mail address. */
  readonly decidedBy: string;
  readonly decidedAt: Date;
}

/** A decision before it is recorded. */
export type NewDecision = Pick<Decision, 'kept' | 'removed'>;

export const MOST_DECISIONS = 1_000;

export class DecisionNotFoundError extends NotFoundError {
  constructor() {
    super('Decision not found');
  }
}

export class DecidedMediaNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Media ${id} not found`);
  }
}

export class AlreadyRemovedError extends ConflictError {
  constructor(id: string) {
    super(`Media ${id} is marked for removal by another decision. Undo that decision to keep it.`);
  }
}

export class GroupNotFoundError extends NotFoundError {
  constructor() {
    super('The group does not exist, or is decided');
  }
}
