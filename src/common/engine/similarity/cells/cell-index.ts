import { sharedInt32 } from '../../arithmetic/shared-arrays';
import type { TopLists } from '../vectors/top-lists';
import type { VectorBlocks } from '../vectors/vector-blocks';

const BLOCK = 512;

/** Vectors grouped by cell and stored as columns for scanning. */
export interface CellIndex {
  /** For each vector, its nearest cells in descending order of cosine. */
  readonly cells: TopLists;
  /** For each vector, the nearest cell, which contains the vector. */
  readonly home: Int32Array;
  readonly blocks: VectorBlocks;
  /** The blocks of cell c are firstBlock[c] to firstBlock[c + 1]. */
  readonly firstBlock: Int32Array;
}

export function homesOf({ keys, length }: TopLists): Int32Array {
  const home = sharedInt32(keys.length / length);
  for (let row = 0; row < home.length; row++) home[row] = keys[row * length]!;
  return home;
}

/** Each vector belongs to its nearest cell. The members of cell c are members[start[c]] to members[start[c + 1]], ascending. */
export function membersByCell(
  { keys, length }: TopLists,
  count: number,
  cellCount: number,
): { members: Int32Array; start: Int32Array } {
  const start = new Int32Array(cellCount + 1);
  for (let i = 0; i < count; i++) start[keys[i * length]! + 1]! += 1;
  for (let cell = 0; cell < cellCount; cell++) start[cell + 1]! += start[cell]!;
  const next = start.slice();
  const members = sharedInt32(count);
  for (let i = 0; i < count; i++) members[next[keys[i * length]!]!++] = i;
  return { members, start };
}

/** Splits the ranges between `bounds` into blocks of a limited size. */
export function blockStarts(bounds: Int32Array): { start: Int32Array; firstBlock: Int32Array } {
  const starts: number[] = [];
  const firstBlock = new Int32Array(bounds.length);
  for (let range = 0; range + 1 < bounds.length; range++) {
    for (let at = bounds[range]!; at < bounds[range + 1]!; at += BLOCK) starts.push(at);
    firstBlock[range + 1] = starts.length;
  }
  return { start: Int32Array.from([...starts, bounds.at(-1)!]), firstBlock };
}
