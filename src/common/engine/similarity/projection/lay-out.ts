import { sharedFloat32 } from '../../arithmetic/shared-arrays';
import type { DistinctItems } from '../distinct-items';
import { scoreEveryPair } from '../neighbours/neighbour-search';
import { everyRowOf, type FiledRows, type LoadedRows } from '../rows/filed-rows';
import type { MapLayout } from '../similarity-structure';
import type { ThreadPool } from '../threads/thread-pool';
import type { TopLists } from '../vectors/top-lists';
import { arrangeRows } from './arrange-rows';
import { crowdOf, meansOf } from './cell-crowd';
import type { Crowd } from './crowd';
import { startInCells, startOnPlane } from './start-places';
import { fitUnitSquare, rangeOf } from './unit-square';

/** The smallest spread of distances that counts, so that equally distant neighbours pull equally. */
const LEAST_SPREAD = 1e-6;

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Relative to the mean distance of items. */
const BETWEEN_COPIES = 0.1;

type Progress = (fraction: number) => void;

export interface LaidOut {
  readonly distinct: DistinctItems;
  /** The vectors of the distinct items. */
  readonly store: FiledRows;
  readonly neighbours: TopLists;
  /** The nearest cells of each distinct item; undefined if the items are few enough to be compared with all others. */
  readonly cells: TopLists | undefined;
  readonly pool: ThreadPool;
}

/** The rounds without cells, where rows start anywhere, and with cells, where rows start beside their cells. */
const ROUNDS_ALONE = 300;
const LEAST_ROUNDS_ALONE = 80;
/** The maximum of rows times rounds, unless the least number of rounds exceeds it. */
const MOVES_ALONE = 1_000_000;
const ROUNDS_IN_CELLS = 24;
/** Up to this number of rows, one thread is faster than a pool. */
const ROWS_ALONE = 4096;
const UNIT = 4096;

/**
 * Places all items on a map on which neighbours are near each other, as UMAP does: each item is pulled by its neighbours and pushed away by a few
 * others, round by round. Many items are grouped into cells: the means of the cells are laid out first, that map is scaled up to the size that all
 * items need, and each item starts beside its nearest cells and is pushed away by items there. Every round reads only the places of the round before,
 * so the result does not depend on the number of threads.
 */
export async function layOut(of: LaidOut, onProgress: Progress): Promise<MapLayout> {
  const { distinct, store, neighbours, cells, pool } = of;
  const placed =
    cells === undefined
      ? await arrangedAlone(await store.loadRange(0, store.count), neighbours, pool, onProgress)
      : await arrangedInCells(store, neighbours, cells, pool, onProgress);
  const layout = spreadCopies(placed, distinct);
  fitUnitSquare(layout);
  return layout;
}

async function arrangedAlone(
  loaded: LoadedRows,
  neighbours: TopLists,
  pool: ThreadPool,
  onProgress: Progress,
): Promise<MapLayout> {
  const start = startOnPlane(loaded);
  return arranged(
    { neighbours, start, rounds: roundsFor(loaded.count), firstReach: 1, crowd: undefined, pool },
    onProgress,
  );
}

async function arrangedInCells(
  store: FiledRows,
  neighbours: TopLists,
  cells: TopLists,
  pool: ThreadPool,
  onProgress: Progress,
): Promise<MapLayout> {
  const crowd = crowdOf(cells, store.count);
  const cellCount = crowd.start.length - 1;
  const means = everyRowOf(await meansOf(store, crowd), cellCount);
  const near = await scoreEveryPair(means, pool, () => undefined);
  const map = await arrangedAlone(means, near, pool, (part) => onProgress(part * 0.3));
  const scale = Math.sqrt(store.count / cellCount);
  const start = await startInCells(store, cells, crowd, map, scale);
  return arranged(
    { neighbours, start, rounds: ROUNDS_IN_CELLS, firstReach: Math.max(1, scale / 2), crowd, pool },
    (part) => onProgress(0.3 + part * 0.7),
  );
}

interface Arranged {
  readonly neighbours: TopLists;
  readonly start: MapLayout;
  readonly rounds: number;
  /** Decreases to 1 in the first half of the rounds. */
  readonly firstReach: number;
  readonly crowd: Crowd | undefined;
  readonly pool: ThreadPool;
}

async function arranged(of: Arranged, onProgress: Progress): Promise<MapLayout> {
  const { neighbours, start, rounds, firstReach, crowd, pool } = of;
  const { keys, length } = neighbours;
  const pull = neighbourPull(neighbours);
  const count = start.x.length;
  let [before, after] = [start, { x: sharedFloat32(count), y: sharedFloat32(count) }];
  for (let round = 0; round < rounds; round++) {
    const step = 1 - round / rounds;
    const reach = Math.max(1, firstReach ** (2 * step - 1));
    const job = { kind: 'arrange', keys, pull, length, before, after, crowd, round, step, reach } as const;
    if (count <= ROWS_ALONE) arrangeRows(job, 0, count);
    else await pool.run(job, count, UNIT);
    [before, after] = [after, before];
    onProgress((round + 1) / rounds);
  }
  return before;
}

const roundsFor = (count: number): number =>
  Math.max(LEAST_ROUNDS_ALONE, Math.min(ROUNDS_ALONE, Math.ceil(MOVES_ALONE / Math.max(1, count))));

/** Maps distinct items to all items: copies form a spiral around their original. Items whose vector is zero have no place. */
function spreadCopies({ x, y }: MapLayout, { distinctOf, count, zeros }: DistinctItems): MapLayout {
  const total = distinctOf.length;
  const layout = { x: sharedFloat32(total), y: sharedFloat32(total) };
  const apart = BETWEEN_COPIES * (Math.max(widthOf(x), widthOf(y)) / Math.sqrt(Math.max(1, total)) || 1);
  const copies = new Int32Array(count);
  for (let at = 0; at < total; at++) {
    const row = distinctOf[at]!;
    const copy = copies[row]!++;
    const away = apart * Math.sqrt(copy);
    const hasPlace = !zeros.has(row);
    layout.x[at] = hasPlace ? x[row]! + away * Math.cos(copy * GOLDEN_ANGLE) : NaN;
    layout.y[at] = hasPlace ? y[row]! + away * Math.sin(copy * GOLDEN_ANGLE) : NaN;
  }
  return layout;
}

function widthOf(values: Float32Array): number {
  const [least, most] = rangeOf(values);
  return most - least;
}

/** The pull of each neighbour of each row, 1 in total; the nearest neighbours pull most. */
function neighbourPull({ keys, scores, length }: TopLists): Float32Array {
  const pull = sharedFloat32(keys.length);
  for (let first = 0; first < keys.length; first += length) {
    let known = 0;
    let far = 0;
    while (known < length && keys[first + known] !== -1) far += scores[first]! - scores[first + known++]!;
    const spread = Math.max(LEAST_SPREAD, far / Math.max(1, known));
    let sum = 0;
    for (let at = first; at < first + known; at++) {
      pull[at] = Math.exp((scores[at]! - scores[first]!) / spread);
      sum += pull[at]!;
    }
    for (let at = first; at < first + known; at++) pull[at]! /= sum;
  }
  return pull;
}
