import { sharedFloat32, sharedInt32 } from '../../arithmetic/shared-arrays';
import type { Scores } from '../kernels/score-kernel';

/** For each row, the best `length` keys so far, best first; equal scores by ascending key, so that the order of arrival does not matter. */
export interface TopLists {
  readonly length: number;
  readonly keys: Int32Array;
  readonly scores: Float32Array;
}

const NONE = -1;

export function allocateTopLists(rows: number, length: number): TopLists {
  return { length, keys: sharedInt32(rows * length).fill(NONE), scores: sharedFloat32(rows * length).fill(-Infinity) };
}

/** A view of the lists of some rows. */
export const listsOf = ({ length, keys, scores }: TopLists, from: number, to: number): TopLists => ({
  length,
  keys: keys.subarray(from * length, to * length),
  scores: scores.subarray(from * length, to * length),
});

export function offer(lists: TopLists, row: number, key: number, score: number): void {
  const { keys, scores, length } = lists;
  const first = row * length;
  let at = first + length - 1;
  if (score < scores[at]! || (score === scores[at] && key > keys[at]!)) return;
  while (at > first && (scores[at - 1]! < score || (scores[at - 1] === score && keys[at - 1]! > key))) {
    scores[at] = scores[at - 1]!;
    keys[at] = keys[at - 1]!;
    at--;
  }
  scores[at] = score;
  keys[at] = key;
}

/** Offers one row's scores against the members of a block, except the row itself. */
export function offerScores(
  lists: TopLists,
  row: number,
  self: number,
  scores: Scores,
  from: number,
  members: Int32Array,
  firstMember: number,
  count: number,
): void {
  const last = row * lists.length + lists.length - 1;
  const to = from + count;
  let least = lists.scores[last]!;
  for (let at = scores.next(from, to, least); at < to; at = scores.next(at + 1, to, least)) {
    const member = members[firstMember + at - from]!;
    if (member === self) continue;
    offer(lists, row, member, scores.values[at]!);
    least = lists.scores[last]!;
  }
}
