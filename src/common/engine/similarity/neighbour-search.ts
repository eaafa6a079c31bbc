import type { ThreadPool } from './thread-pool';
import { splitLargeCells } from './cell-splits';
import { meanCells } from './mean-cells';
import { sharedInt32, sharedRange, sharedUint8 } from '../arithmetic/shared-arrays';
import { NEIGHBOURS } from './similarity-structure';
import { allocateTopLists, type TopLists } from './top-lists';
import { allocateBlocks } from './vector-blocks';
import type { SearchedVectors } from './vector-rows';
import { VectorTable } from './vector-table';

/** Up to this number of vectors every pair is scored in floats, which is exact. */
export const EXACT_LIMIT = 16_384;
/** The number of candidates whose exact cosine is computed. */
const SHORTLIST = 24;
const BLOCK = 512;
const UNIT = 1024;

type Progress = (fraction: number) => void;

export interface SearchedNeighbours {
  /** The nearest others of each vector with their exact cosines, best first. */
  readonly neighbours: TopLists;
  /** The nearest cells of each vector; undefined if every pair was scored. */
  readonly cells: TopLists | undefined;
}

export async function findNeighbours(
  table: VectorTable,
  count: number,
  pool: ThreadPool,
  onProgress: Progress,
): Promise<SearchedNeighbours> {
  const exact = count <= EXACT_LIMIT;
  const encoded = sharedUint8(exact ? 0 : count * table.dimension);
  const source: SearchedVectors = { precision: exact ? 'float' : 'byte', count, table: table.handle, encoded };
  const shortlists = allocateTopLists(count, SHORTLIST);
  const scanned: Progress = (fraction) => onProgress(fraction * 0.85);
  let cells: TopLists | undefined;
  if (exact) await scanEverything(source, pool, shortlists, scanned);
  else cells = await scanNearestCells(source, pool, shortlists, scanned);
  const neighbours = allocateTopLists(count, NEIGHBOURS);
  await pool.run({ kind: 'settle', table: table.handle, shortlists, neighbours }, count, UNIT, (fraction) =>
    onProgress(0.85 + fraction * 0.05),
  );
  if (cells === undefined) return { neighbours, cells };
  // In data without clear groups, cell boundaries cut neighbours off; the neighbours' neighbours include them.
  const after = allocateTopLists(count, NEIGHBOURS);
  await pool.run({ kind: 'refine', table: table.handle, cells, before: neighbours, after }, count, UNIT, (fraction) => {
    onProgress(0.9 + fraction * 0.1);
  });
  return { neighbours: after, cells };
}

async function scanEverything(
  source: SearchedVectors,
  pool: ThreadPool,
  lists: TopLists,
  onProgress: Progress,
): Promise<void> {
  const members = sharedRange(source.count);
  const { start } = blockStarts(Int32Array.of(0, source.count));
  const blocks = allocateBlocks('float', source.table.dimension, members, start);
  await pool.run({ kind: 'fillBlocks', blocks, rows: source.table }, start.length - 1, 1);
  const job = { kind: 'scanAll', source, rows: members, blocks, lists, skipSelf: true } as const;
  await pool.run(job, source.count, UNIT, onProgress);
}

async function scanNearestCells(
  source: SearchedVectors,
  pool: ThreadPool,
  lists: TopLists,
  onProgress: Progress,
): Promise<TopLists> {
  await pool.run({ kind: 'encodeRows', source }, source.count, UNIT);
  const { cells, cellCount } = await meanCells(source, pool, (fraction) => onProgress(fraction * 0.4));
  const sliceCount = splitLargeCells(new VectorTable(source.table), cells, source.count, cellCount);
  const { members, start } = membersByCell(cells, source.count, sliceCount);
  const { start: blockStart, firstBlock } = blockStarts(start);
  const blocks = allocateBlocks('byte', source.table.dimension, members, blockStart);
  await pool.run({ kind: 'fillBlocks', blocks, rows: source.table }, blockStart.length - 1, 16);
  const unit = Math.min(131_072, Math.ceil(source.count / 8));
  const job = { kind: 'scanCells', source, cells, firstBlock, blocks, lists } as const;
  await pool.run(job, source.count, unit, (fraction) => onProgress(0.4 + fraction * 0.6));
  return cells;
}

/** Each vector belongs to the cell nearest to it. */
function membersByCell(cells: TopLists, count: number, cellCount: number): { members: Int32Array; start: Int32Array } {
  const start = new Int32Array(cellCount + 1);
  for (let i = 0; i < count; i++) start[cells.keys[i * cells.length]! + 1]! += 1;
  for (let cell = 0; cell < cellCount; cell++) start[cell + 1]! += start[cell]!;
  const next = start.slice();
  const members = sharedInt32(count);
  for (let i = 0; i < count; i++) members[next[cells.keys[i * cells.length]!]!++] = i;
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
