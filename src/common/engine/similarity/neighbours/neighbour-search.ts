import { sharedUint8 } from '../../arithmetic/shared-arrays';
import { blockStarts, type CellIndex } from '../cells/cell-index';
import { NeighbourPasses, SHORTLIST, WINDOW } from './neighbour-passes';
import { BLOCKS, orderByCell } from '../rows/cell-ordered-rows';
import { EncodedRows } from '../rows/encoded-rows';
import { rangesOf, readingAhead, type FiledRows, type LoadedRows, type Range } from '../rows/filed-rows';
import { LEAST_ROOM } from '../rows/memory-plan';
import type { ScratchFiles } from '../rows/scratch-files';
import { NEIGHBOURS } from '../similarity-structure';
import type { ThreadPool } from '../threads/thread-pool';
import { allocateTopLists, listsOf, type TopLists } from '../vectors/top-lists';
import { allocateBlocks } from '../vectors/vector-blocks';

/** Up to this number of vectors, which always have room in memory, every pair is scored in floats, which is exact. */
export const EXACT_LIMIT = LEAST_ROOM;
const UNIT = 1024;
/** Fractions of the total progress at the end of each step. */
const ORDER_SHARE = 0.38;
const SCAN_SHARE = 0.9;
/** The same within the search. */
const SCANNED = (SCAN_SHARE - ORDER_SHARE) / (1 - ORDER_SHARE);

type Progress = (fraction: number) => void;

export interface SearchedNeighbours {
  /** The nearest others of each vector with their exact cosines, best first. */
  readonly neighbours: TopLists;
  /** The nearest cells of each vector; undefined if every pair was scored. */
  readonly cells: TopLists | undefined;
  /** The rows that neighbours and cells refer to. */
  readonly store: FiledRows;
  /** For each row its former number, if rows were renumbered. */
  readonly order?: Int32Array;
}

/** Finds the neighbours of rows in a file, ordered by cell, outside this process. */
export type SearchElsewhere = (store: FiledRows, index: CellIndex, onProgress: Progress) => Promise<TopLists>;

export interface FiledSearch {
  /** For the file that rows are written to in the order of their new numbers. */
  readonly scratch: ScratchFiles;
  readonly elsewhere?: SearchElsewhere | undefined;
}

export async function findNeighbours(
  store: FiledRows,
  pool: ThreadPool,
  onProgress: Progress,
  { scratch, elsewhere }: FiledSearch,
): Promise<SearchedNeighbours> {
  if (store.count <= EXACT_LIMIT && elsewhere === undefined) {
    const neighbours = await scoreEveryPair(await store.loadRange(0, store.count), pool, onProgress);
    return { neighbours, cells: undefined, store };
  }
  const encoded = new EncodedRows(pool);
  const found = await orderByCell(store, encoded, scratch, (part) => onProgress(part * ORDER_SHARE));
  const search: Progress = (part) => onProgress(ORDER_SHARE + part * (1 - ORDER_SHARE));
  const neighbours =
    elsewhere === undefined
      ? await searchHere(found.store, found.index, new NeighbourPasses(found.store, encoded, pool), search)
      : await elsewhere(found.store, found.index, search);
  scratch.remove(BLOCKS);
  return { ...found, neighbours, cells: found.index.cells };
}

/** The nearest others of each row of a table that has all of them. */
export async function scoreEveryPair(
  { table, place, count }: LoadedRows,
  pool: ThreadPool,
  onProgress: Progress,
): Promise<TopLists> {
  const source = { precision: 'float', count, table: table.handle, encoded: sharedUint8(0) } as const;
  const { start } = blockStarts(Int32Array.of(0, count));
  const blocks = allocateBlocks('float', table.dimension, place, start);
  await pool.run({ kind: 'fillBlocks', blocks, rows: table.handle }, start.length - 1, 1);
  const shortlists = allocateTopLists(count, SHORTLIST);
  const job = { kind: 'scanAll', source, rows: place, blocks, lists: shortlists, skipSelf: true } as const;
  await pool.run(job, count, UNIT, (part) => onProgress(part * SCAN_SHARE));
  const neighbours = allocateTopLists(count, NEIGHBOURS);
  await pool.run({ kind: 'settle', table: table.handle, place, first: 0, shortlists, neighbours }, count, UNIT);
  return neighbours;
}

/**
 * Scans the rows window by window: only the shortlists of one window exist at a time. The operating system still caches what was read or
 * written last, so the scan goes from the last row down and the refinement up.
 */
async function searchHere(
  store: FiledRows,
  index: CellIndex,
  passes: NeighbourPasses,
  onProgress: Progress,
): Promise<TopLists> {
  const { count } = store;
  const before = allocateTopLists(count, NEIGHBOURS);
  const ranges = [...rangesOf(count, Math.min(WINDOW, store.room))];
  let done = 0;
  const reporting =
    ({ from, to }: Range, first: number, end: number): Progress =>
    (part) =>
      onProgress(first + ((done + part * (to - from)) / count) * (end - first));
  for (const [at, range] of ranges.toReversed().entries()) {
    const { from, to } = range;
    const scanned = passes.scan(index, range, listsOf(before, from, to), reporting(range, 0, SCANNED));
    await readingAhead(store, ranges.at(-2 - at), scanned);
    done += to - from;
  }
  done = 0;
  const after = allocateTopLists(count, NEIGHBOURS);
  for (const range of ranges) {
    const { from, to } = range;
    await passes.refine(index, before, range, listsOf(after, from, to), reporting(range, SCANNED, 1));
    done += to - from;
  }
  return after;
}
