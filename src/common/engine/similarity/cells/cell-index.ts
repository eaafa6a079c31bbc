import { splitLargeCells } from './cell-splits';
import { meanCells } from './mean-cells';
import type { EncodedRows } from '../rows/encoded-rows';
import type { ThreadPool } from '../threads/thread-pool';
import { sharedInt32 } from '../../arithmetic/shared-arrays';
import type { HeldRows } from '../rows/row-store';
import type { TopLists } from '../vectors/top-lists';
import { allocateBlocks, type VectorBlocks } from '../vectors/vector-blocks';

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

export async function indexHeldCells(
  store: HeldRows,
  encoded: EncodedRows,
  pool: ThreadPool,
  onProgress: (fraction: number) => void,
): Promise<CellIndex> {
  const { table, count } = store;
  const { cells, cellCount } = await meanCells(store, encoded, pool, onProgress);
  const split = await splitLargeCells(store, cells, cellCount);
  const { members, start } = membersByCell(cells, count, split.cellCount);
  const { start: blockStart, firstBlock } = blockStarts(start);
  const blocks = allocateBlocks('byte', table.dimension, members, blockStart);
  await pool.run({ kind: 'fillBlocks', blocks, rows: table.handle }, blockStart.length - 1, 16);
  return { cells, home: homesOf(cells), blocks, firstBlock };
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
