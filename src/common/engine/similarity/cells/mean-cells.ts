import type { ThreadPool } from '../threads/thread-pool';
import { sharedFloat32, sharedInt32, sharedRange } from '../../arithmetic/shared-arrays';
import { EncodedRows } from '../rows/encoded-rows';
import { rangesOf, readingAhead, type FiledRows, type LoadedRows, type Range } from '../rows/filed-rows';
import { allocateTopLists, listsOf, type TopLists } from '../vectors/top-lists';
import { allocateBlocks } from '../vectors/vector-blocks';
import type { SearchedVectors } from '../vectors/vector-rows';

/** The number of cells in which the neighbours of a vector are searched. */
export const PROBES = 16;
const MEMBERS_PER_CELL = 512;
const SAMPLE_PER_CELL = 32;
const ROUNDS = 3;
const MAX_LINEAR_CELLS = 4096;
const BLOCK = 512;
const UNIT = 2048;

export interface MeanCells {
  /** For each vector, its nearest cells in descending order of cosine. */
  readonly cells: TopLists;
  readonly cellCount: number;
  /** The mean vector of each cell, stored consecutively. */
  readonly means: Float32Array;
}

/** Beyond two million vectors the cells grow too, so that assigning vectors to cells does not become quadratic. */
export function cellCountFor(count: number): number {
  const wanted = Math.ceil(count / MEMBERS_PER_CELL);
  return wanted <= MAX_LINEAR_CELLS ? wanted : Math.ceil(Math.sqrt(wanted * MAX_LINEAR_CELLS));
}

/** Groups vectors around means computed on an even sample: deterministic k-means. All vectors are in the table. */
export async function meanCells(loaded: LoadedRows, pool: ThreadPool): Promise<MeanCells> {
  const { count, place } = loaded;
  const cellCount = cellCountFor(count);
  const encoded = new EncodedRows(pool);
  const means = await meansOf(loaded, evenSample(count, count), cellCount, encoded, pool, () => undefined);
  const cells = allocateTopLists(count, Math.min(PROBES, cellCount));
  await nearestMeans(await encoded.of(loaded), pool, means, place, cells, () => undefined);
  return { cells, cellCount, means };
}

/** Returns the mean vectors of the cells, stored consecutively. */
export async function findMeans(
  store: FiledRows,
  encoded: EncodedRows,
  pool: ThreadPool,
  onProgress: (fraction: number) => void,
): Promise<Float32Array> {
  const { count, room } = store;
  const sample = evenSample(count, room);
  return meansOf(await store.load(sample), sample, cellCountFor(count), encoded, pool, onProgress);
}

async function meansOf(
  loaded: LoadedRows,
  sample: Int32Array,
  cellCount: number,
  encoded: EncodedRows,
  pool: ThreadPool,
  onProgress: (fraction: number) => void,
): Promise<Float32Array> {
  const means = firstMeans(loaded, sample, cellCount);
  const places = sample.map((row) => loaded.place[row]!);
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = allocateTopLists(sample.length, 1);
    await nearestMeans(await encoded.of(loaded), pool, means, places, nearest, (fraction) =>
      onProgress((round + fraction) / ROUNDS),
    );
    moveMeans(loaded, means, places, nearest.keys);
  }
  return means;
}

/** Receives a range of rows with their cells. */
export type RangeUse = (range: Range, loaded: LoadedRows, cells: TopLists) => void;

interface Assigning {
  readonly encoded: EncodedRows;
  readonly pool: ThreadPool;
  /** Called for each range of rows while they are loaded. */
  readonly use?: RangeUse;
}

/** Returns the nearest cells of each vector in descending order of cosine. */
export async function assignToCells(
  store: FiledRows,
  means: Float32Array,
  { encoded, pool, use }: Assigning,
  onProgress: (fraction: number) => void,
): Promise<TopLists> {
  const { count } = store;
  const cells = allocateTopLists(count, Math.min(PROBES, cellCountFor(count)));
  const ranges = [...rangesOf(count, store.room)];
  for (const [at, range] of ranges.entries()) {
    const { from, to } = range;
    const loaded = await store.loadRange(from, to);
    const own = listsOf(cells, from, to);
    const source = await encoded.of(loaded);
    const assigned = nearestMeans(source, pool, means, sharedRange(to - from), own, (fraction) =>
      onProgress((from + fraction * (to - from)) / count),
    );
    await readingAhead(store, ranges[at + 1], assigned);
    use?.(range, loaded, own);
  }
  return cells;
}

function firstMeans({ table, place }: LoadedRows, sample: Int32Array, cellCount: number): Float32Array {
  const { dimension } = table;
  const means = sharedFloat32(cellCount * dimension);
  const stride = sample.length / cellCount;
  for (let cell = 0; cell < cellCount; cell++)
    means.set(table.row(place[sample[Math.floor(cell * stride)]!]!), cell * dimension);
  return means;
}

/** Picks one row per interval, at a hashed position, so that a period in the data does not bias the sample. */
function evenSample(count: number, most: number): Int32Array {
  const size = Math.min(count, most, cellCountFor(count) * SAMPLE_PER_CELL);
  const stride = count / size;
  const sample = sharedInt32(size);
  for (let at = 0; at < size; at++) {
    const hash = (Math.imul(at + 1, 0x9e3779b1) >>> 8) / 2 ** 24;
    sample[at] = Math.min(count - 1, Math.floor((at + hash) * stride));
  }
  return sample;
}

/** `rows` are places in the table. */
async function nearestMeans(
  source: SearchedVectors,
  pool: ThreadPool,
  means: Float32Array,
  rows: Int32Array,
  lists: TopLists,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { dimension } = source.table;
  const cellCount = means.length / dimension;
  const members = sharedRange(cellCount);
  const start = Int32Array.from({ length: Math.ceil(cellCount / BLOCK) + 1 }, (_, at) =>
    Math.min(cellCount, at * BLOCK),
  );
  const blocks = allocateBlocks('byte', dimension, members, start);
  await pool.run(
    { kind: 'fillBlocks', blocks, rows: { floats: means, stride: dimension, dimension } },
    start.length - 1,
    1,
  );
  await pool.run({ kind: 'scanAll', source, rows, blocks, lists, skipSelf: false }, rows.length, UNIT, onProgress);
}

/** A mean without vectors is left unchanged. */
function moveMeans({ table }: LoadedRows, means: Float32Array, places: Int32Array, nearest: Int32Array): void {
  const { dimension } = table;
  const sums = new Float32Array(means.length);
  for (let at = 0; at < places.length; at++) {
    const row = table.row(places[at]!);
    const to = nearest[at]! * dimension;
    for (let k = 0; k < dimension; k++) sums[to + k]! += row[k]!;
  }
  for (let start = 0; start < means.length; start += dimension) {
    let square = 0;
    for (let k = start; k < start + dimension; k++) square += sums[k]! * sums[k]!;
    const length = Math.sqrt(square);
    if (length > 0) for (let k = start; k < start + dimension; k++) means[k] = sums[k]! / length;
  }
}
