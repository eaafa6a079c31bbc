import { setImmediate } from 'node:timers/promises';
import type { ThreadPool } from '../threads/thread-pool';
import { allocateNearLists, mergeNearLists, type NearLists } from './near-lists';
import { NearPairList } from './near-pair-list';
import { blockStarts, membersByCell } from '../cells/cell-index';
import { meanCells } from '../cells/mean-cells';
import { EXACT_LIMIT } from '../neighbours/neighbour-search';
import type { AddedCells } from '../threads/pool-job';
import { everyRowOf, rangesOf } from '../rows/filed-rows';
import type { KnownItems, KnownVectors } from './placement';
import { sharedFloat32, sharedInt32, sharedRange } from '../../arithmetic/shared-arrays';
import { NEIGHBOURS } from '../similarity-structure';
import { allocateTopLists, type TopLists } from '../vectors/top-lists';
import { VectorTable } from '../vectors/vector-table';
import { allocateBlocks, type FloatRows, type VectorBlocks } from '../vectors/vector-blocks';

/** The size of a slab of known vectors. There are two: one is filled while the other is compared. */
const SLAB_BYTES = 32 * 2 ** 20;
const UNIT = 1024;
/** Rows copied before yielding to the event loop, because this thread serves requests. */
const ROWS_A_TURN = 8192;

/** New rows to search for among the known ones. */
export interface AddedRows {
  /** Stored consecutively, in shared memory. */
  readonly vectors: Float32Array;
  readonly count: number;
  /** The number of leading rows that are also searched in reverse, from the known items. */
  readonly naming: number;
  /** The least cosine of those found in reverse. */
  readonly least: number;
}

export interface KnownNeighbours {
  /** The nearest known ordinals of each new row. */
  readonly nearest: NearLists;
  /** The nearest new rows of each known item that are near duplicates of it. */
  readonly named: NearPairList;
}

interface CelledRows {
  readonly members: Int32Array;
  readonly start: Int32Array;
  readonly cells: AddedCells;
}

interface Slab {
  readonly vectors: Float32Array;
  readonly ordinals: Int32Array;
  readonly named: TopLists;
  readonly hashes: Int32Array;
}

/** Reads all known items once. */
export async function findKnownNeighbours(
  known: KnownItems,
  added: AddedRows,
  pool: ThreadPool,
  onProgress: (fraction: number) => void,
): Promise<KnownNeighbours> {
  const scan = await KnownScans.prepare(known.dimension, added, pool);
  const slabRows = Math.max(1, Math.floor(SLAB_BYTES / (known.dimension * Float32Array.BYTES_PER_ELEMENT)));
  const rows = Math.min(slabRows, Math.max(1, known.count));
  const slabs = [allocateSlab(rows, known.dimension), allocateSlab(rows, known.dimension)] as const;
  let scanned: Promise<void> = Promise.resolve();
  let seen = 0;
  let turn = 0;
  try {
    for await (const count of filled(known, () => slabs[turn]!)) {
      await scanned;
      scanned = scan.run(slabs[turn]!, count);
      // Awaited in the next iteration; until then, a rejection must not count as unhandled.
      scanned.catch(() => undefined);
      seen += count;
      onProgress(Math.min(1, seen / Math.max(1, known.count)));
      turn = 1 - turn;
    }
  } finally {
    // Awaited even if reading fails: the pool must be idle when it is closed.
    await scanned;
  }
  return scan.found();
}

const allocateSlab = (rows: number, dimension: number): Slab => ({
  vectors: sharedFloat32(rows * dimension),
  ordinals: sharedInt32(rows),
  named: allocateTopLists(rows, NEIGHBOURS),
  hashes: sharedInt32(rows),
});

/** Fills the slabs in turn and yields the number of rows in each. */
async function* filled(known: KnownItems, next: () => Slab): AsyncGenerator<number> {
  let count = 0;
  for await (const batch of known.batches()) {
    for (let from = 0; from < batch.ordinals.length;) {
      const slab = next();
      const some = Math.min(batch.ordinals.length - from, slab.ordinals.length - count);
      copy(batch, from, some, slab, count, known.dimension);
      count += some;
      from += some;
      if (count < slab.ordinals.length) continue;
      yield count;
      count = 0;
    }
  }
  if (count > 0) yield count;
}

function copy(
  { ordinals, vectors }: KnownVectors,
  from: number,
  count: number,
  into: Slab,
  at: number,
  d: number,
): void {
  into.ordinals.set(ordinals.subarray(from, from + count), at);
  into.vectors.set(vectors.subarray(from * d, (from + count) * d), at * d);
}

class KnownScans {
  private readonly lists: readonly NearLists[];
  private readonly named = new NearPairList();

  private constructor(
    private readonly added: AddedRows,
    private readonly blocks: VectorBlocks,
    private readonly cells: AddedCells | undefined,
    private readonly pool: ThreadPool,
  ) {
    this.lists = Array.from({ length: pool.size }, () => allocateNearLists(added.count, NEIGHBOURS));
  }

  static async prepare(dimension: number, added: AddedRows, pool: ThreadPool): Promise<KnownScans> {
    const rows = { floats: added.vectors, stride: dimension, dimension };
    if (added.count > EXACT_LIMIT) {
      const { members, start, cells } = await cellsOf(added, dimension, pool);
      return new KnownScans(added, await filledBlocks(rows, members, start, pool), cells, pool);
    }
    const { start } = blockStarts(Int32Array.of(0, added.count));
    const blocks = await filledBlocks(rows, sharedRange(added.count), start, pool);
    return new KnownScans(added, blocks, undefined, pool);
  }

  async run(slab: Slab, count: number): Promise<void> {
    const { added, blocks, cells, lists } = this;
    slab.named.keys.fill(-1);
    slab.named.scores.fill(-Infinity);
    const { vectors: rows, naming, least } = added;
    const job = {
      kind: 'scanKnown',
      ...slab,
      added: rows,
      naming,
      least,
      blocks,
      cells,
      lists,
      seat: sharedInt32(1),
    } as const;
    await this.pool.run(job, count, Math.min(UNIT, Math.ceil(count / this.lists.length)));
    this.collect(slab, count);
  }

  found(): KnownNeighbours {
    return { nearest: mergeNearLists(this.lists), named: this.named };
  }

  private collect({ named, ordinals, hashes }: Slab, count: number): void {
    const { keys, scores, length } = named;
    for (let row = 0; row < count; row++) {
      const first = row * length;
      let end = first;
      while (end < first + length && keys[end] !== -1) end++;
      if (end > first)
        this.named.add(ordinals[row]!, hashes[row]!, keys.subarray(first, end), scores.subarray(first, end));
    }
  }
}

async function filledBlocks(
  rows: FloatRows,
  members: Int32Array,
  start: Int32Array,
  pool: ThreadPool,
): Promise<VectorBlocks> {
  const blocks = allocateBlocks('float', rows.dimension, members, start);
  await pool.run({ kind: 'fillBlocks', blocks, rows }, start.length - 1, 1);
  return blocks;
}

/**
 * Groups new rows into cells around means, as indexing does. Rows that are not searched in reverse form a separate cell, which every known row is
 * compared with.
 */
async function cellsOf(
  { vectors, count, naming }: AddedRows,
  dimension: number,
  pool: ThreadPool,
): Promise<CelledRows> {
  const table = VectorTable.allocate(naming, dimension);
  for (const { from, to } of rangesOf(naming, ROWS_A_TURN)) {
    for (let row = from; row < to; row++) table.row(row).set(vectors.subarray(row * dimension, (row + 1) * dimension));
    await setImmediate();
  }
  const found = await meanCells(everyRowOf(table, naming), pool);
  const inCells = membersByCell(found.cells, naming, found.cellCount);
  const members = sharedRange(count);
  members.set(inCells.members);
  const { start, firstBlock } = blockStarts(Int32Array.of(...inCells.start, count));
  const means = { floats: found.means, stride: dimension, dimension };
  const all = blockStarts(Int32Array.of(0, found.cellCount));
  const cells = {
    means: await filledBlocks(means, sharedRange(found.cellCount), all.start, pool),
    firstBlock,
    always: found.cellCount,
  };
  return { members, start, cells };
}
