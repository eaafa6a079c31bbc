import { indexHeldCells, blockStarts, type CellIndex } from './cell-index';
import { splitLargeCells } from './cell-splits';
import { meanCells } from './mean-cells';
import { Candidates } from './neighbour-refinement';
import { EncodedRows } from './rows/encoded-rows';
import { orderByCell } from './rows/cell-ordered-rows';
import { FiledRows } from './rows/filed-rows';
import { NamedRows } from './rows/named-rows';
import { HeldRows, rangesOf, type RowStore } from './rows/row-store';
import type { ScratchFiles } from './rows/scratch-files';
import { NEIGHBOURS } from './similarity-structure';
import type { ThreadPool } from './thread-pool';
import { allocateTopLists, listsOf, type TopLists } from './top-lists';
import { sharedRange } from '../arithmetic/shared-arrays';
import { allocateBlocks } from './vector-blocks';

/** Up to this number of vectors every pair is scored in floats, which is exact. */
export const EXACT_LIMIT = 16_384;
/** The number of candidates whose exact cosine is computed. */
const SHORTLIST = 24;
const UNIT = 1024;
/** Rows whose shortlists exist at the same time, if not all do. */
const WINDOW = 131_072;
/** Of the progress, at the end of each part. */
const CELLS_SHARE = 0.32;
const ORDER_SHARE = 0.38;
const SCAN_SHARE = 0.9;

type Progress = (fraction: number) => void;

export interface SearchedNeighbours {
  /** The nearest others of each vector with their exact cosines, best first. */
  readonly neighbours: TopLists;
  /** The nearest cells of each vector; undefined if every pair was scored. */
  readonly cells: TopLists | undefined;
  /** What the vectors are numbered in. */
  readonly store: RowStore;
  /** For each row its number before, if they were numbered anew. */
  readonly order?: Int32Array;
}

/** Rows in files are numbered anew, and written in that order to a file of `scratch`. */
export async function findNeighbours(
  store: RowStore,
  pool: ThreadPool,
  onProgress: Progress,
  scratch?: ScratchFiles,
): Promise<SearchedNeighbours> {
  if (store instanceof HeldRows && store.count <= EXACT_LIMIT)
    return { neighbours: await scoreEveryPair(store, pool, onProgress), cells: undefined, store };
  const encoded = new EncodedRows('byte', pool);
  const means = await meanCells(store, encoded, pool, (part) => onProgress(part * CELLS_SHARE));
  const split = await splitLargeCells(store, means.cells, means.cellCount);
  const found =
    store instanceof FiledRows
      ? await orderByCell(store, means, split, scratch!, (part) =>
          onProgress(CELLS_SHARE + part * (ORDER_SHARE - CELLS_SHARE)),
        )
      : { store, index: await indexHeldCells(store as HeldRows, means.cells, split.cellCount, pool) };
  const { cells } = found.index;
  const neighbours = await scanNearestCells(found.store, found.index, encoded, pool, (part) =>
    onProgress(ORDER_SHARE + part * (SCAN_SHARE - ORDER_SHARE)),
  );
  const after = await refined(found.store, cells, neighbours, pool, (part) =>
    onProgress(SCAN_SHARE + part * (1 - SCAN_SHARE)),
  );
  return { ...found, neighbours: after, cells };
}

async function scoreEveryPair(store: HeldRows, pool: ThreadPool, onProgress: Progress): Promise<TopLists> {
  const { count, table } = store;
  const source = await new EncodedRows('float', pool).of(await store.loadRange());
  const rows = sharedRange(count);
  const { start } = blockStarts(Int32Array.of(0, count));
  const blocks = allocateBlocks('float', table.dimension, rows, start);
  await pool.run({ kind: 'fillBlocks', blocks, rows: table.handle }, start.length - 1, 1);
  const lists = allocateTopLists(count, SHORTLIST);
  await pool.run({ kind: 'scanAll', source, rows, blocks, lists, skipSelf: true }, count, UNIT, (part) =>
    onProgress(part * SCAN_SHARE),
  );
  const neighbours = allocateTopLists(count, NEIGHBOURS);
  await settle(new NamedRows(store), lists, neighbours, 0, pool);
  return neighbours;
}

/** Scans the rows window by window: only the shortlists of a window exist at the same time. */
async function scanNearestCells(
  store: RowStore,
  { cells, blocks, firstBlock }: CellIndex,
  encoded: EncodedRows,
  pool: ThreadPool,
  onProgress: Progress,
): Promise<TopLists> {
  const { count } = store;
  const neighbours = allocateTopLists(count, NEIGHBOURS);
  const named = new NamedRows(store);
  const most = store.room === Infinity ? count : Math.min(WINDOW, store.room);
  const lists = allocateTopLists(most, SHORTLIST);
  for (const { from, to } of rangesOf(count, most)) {
    const rows = to - from;
    lists.keys.fill(-1);
    lists.scores.fill(-Infinity);
    const source = await encoded.of(await store.loadRange(from, to));
    const job = {
      kind: 'scanCells',
      source,
      first: from,
      cells: listsOf(cells, from, to),
      firstBlock,
      blocks,
    } as const;
    await pool.run({ ...job, lists }, rows, Math.min(WINDOW, Math.ceil(rows / 8)), (part) =>
      onProgress((from + part * rows) / count),
    );
    await settle(named, listsOf(lists, 0, rows), listsOf(neighbours, from, to), from, pool);
  }
  return neighbours;
}

/** Turns the shortlists of the rows from `first` on into their neighbours. */
async function settle(
  named: NamedRows,
  shortlists: TopLists,
  neighbours: TopLists,
  first: number,
  pool: ThreadPool,
): Promise<void> {
  const { keys, length } = shortlists;
  const window = { from: 0, to: keys.length / length };
  const batches = named.batches(window, (at, name) => {
    name(first + at);
    for (let i = at * length; i < (at + 1) * length && keys[i] !== -1; i++) name(keys[i]!);
  });
  for await (const { from, to, loaded } of batches) {
    const [table, place] = [loaded.table.handle, loaded.place];
    const lists = { shortlists: listsOf(shortlists, from, to), neighbours: listsOf(neighbours, from, to) };
    await pool.run({ kind: 'settle', table, place, first: first + from, ...lists }, to - from, UNIT);
  }
}

/** In data without clear groups, cell boundaries cut neighbours off; the neighbours' neighbours include them. */
async function refined(
  store: RowStore,
  cells: TopLists,
  before: TopLists,
  pool: ThreadPool,
  onProgress: Progress,
): Promise<TopLists> {
  const { count } = store;
  const after = allocateTopLists(count, NEIGHBOURS);
  const candidates = new Candidates(cells, before);
  const batches = new NamedRows(store).batches({ from: 0, to: count }, (row, name) => {
    name(row);
    candidates.visit(row, name);
  });
  for await (const { from, to, loaded } of batches) {
    const [table, place] = [loaded.table.handle, loaded.place];
    const job = { kind: 'refine', table, place, first: from, cells, before, after: listsOf(after, from, to) } as const;
    await pool.run(job, to - from, UNIT, (part) => onProgress((from + part * (to - from)) / count));
  }
  return after;
}
