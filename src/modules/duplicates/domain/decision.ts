import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { assigned, unassigned, type TagChange, type TagLists } from '../../versions';

/** A decision as rows of a table version. */
export interface DecidedGroupRows {
  readonly kept: ArrayLike<number>;
  readonly removed: ArrayLike<number>;
}

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

/** Tags removed media and, if requested, assigns their other tags to the kept ones. */
export async function tagsOfDecisions(
  before: TagLists,
  decisions: readonly DecidedGroupRows[],
  { tagId, isCarried }: { readonly tagId: string | null; readonly isCarried: boolean },
): Promise<TagChange> {
  let change: TagChange = { lists: before, changed: 0 };
  const assign = (id: string, rows: Int32Array): void => {
    const { lists, changed } = assigned(change.lists, id, rows.sort());
    change = { lists, changed: change.changed + changed };
  };
  if (isCarried) {
    const decisionOf = await decisionsOfRemoved(decisions);
    for (const [id, rows] of before) {
      if (id === tagId) continue;
      const carried = await rowsToCarry(rows, decisions, decisionOf);
      if (carried.size > 0) assign(id, Int32Array.from(carried));
    }
  }
  if (tagId !== null) assign(tagId, Int32Array.from(decisions.flatMap(({ removed }) => Array.from(removed))));
  return change;
}

/** Takes tags off rows. */
export function untagged(before: TagLists, rows: ReadonlyMap<string, readonly number[]>): TagChange {
  let change: TagChange = { lists: before, changed: 0 };
  for (const [tagId, list] of rows) {
    const { lists, changed } = unassigned(change.lists, tagId, Int32Array.from(list).sort());
    change = { lists, changed: change.changed + changed };
  }
  return change;
}

/** By row, the decision that removes it, from 1; 0 for none. */
async function decisionsOfRemoved(decisions: readonly DecidedGroupRows[]): Promise<Int32Array> {
  let end = 0;
  await inSlices(decisions.length, (from, to) => {
    for (let at = from; at < to; at++)
      for (const row of Array.from(decisions[at]!.removed)) end = Math.max(end, row + 1);
  });
  const decisionOf = new Int32Array(end);
  await inSlices(decisions.length, (from, to) => {
    for (let at = from; at < to; at++) for (const row of Array.from(decisions[at]!.removed)) decisionOf[row] = at + 1;
  });
  return decisionOf;
}

async function rowsToCarry(
  tagged: Int32Array,
  decisions: readonly DecidedGroupRows[],
  decisionOf: Int32Array,
): Promise<ReadonlySet<number>> {
  const carried = new Set<number>();
  await inSlices(tagged.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const decision = decisionOf[tagged[at]!] ?? 0;
      if (decision > 0) for (const row of Array.from(decisions[decision - 1]!.kept)) carried.add(row);
    }
  });
  return carried;
}
