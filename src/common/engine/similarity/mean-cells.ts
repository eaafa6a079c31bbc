import type { ThreadPool } from './thread-pool';
import { sharedFloat32, sharedInt32, sharedRange } from '../arithmetic/shared-arrays';
import { allocateTopLists, type TopLists } from './top-lists';
import { allocateBlocks } from './vector-blocks';
import type { SearchedVectors } from './vector-rows';
import { VectorTable } from './vector-table';

/** The number of cells in which the neighbours of a vector are searched. */
const PROBES = 16;
const MEMBERS_PER_CELL = 512;
const SAMPLE_PER_CELL = 32;
const ROUNDS = 3;
const MAX_LINEAR_CELLS = 4096;
const BLOCK = 512;
const UNIT = 2048;

export interface MeanCells {
  /** For each vector its nearest cells, the nearest first. */
  readonly cells: TopLists;
  readonly cellCount: number;
}

/** Beyond two million vectors the cells grow too, so that assigning vectors to cells does not become quadratic. */
export function cellCountFor(count: number): number {
  const wanted = Math.ceil(count / MEMBERS_PER_CELL);
  return wanted <= MAX_LINEAR_CELLS ? wanted : Math.ceil(Math.sqrt(wanted * MAX_LINEAR_CELLS));
}

/** Groups vectors around means computed on an even sample: deterministic k-means. */
export async function meanCells(
  source: SearchedVectors,
  pool: ThreadPool,
  onProgress: (fraction: number) => void,
): Promise<MeanCells> {
  const { count } = source;
  const table = new VectorTable(source.table);
  const { dimension } = table;
  const cellCount = cellCountFor(count);
  const sample = evenSample(count, Math.min(count, cellCount * SAMPLE_PER_CELL));
  const means = sharedFloat32(cellCount * dimension);
  const stride = sample.length / cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    means.set(table.row(sample[Math.floor(cell * stride)]!), cell * dimension);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = await nearestMeans(source, pool, means, sample, 1, (fraction) =>
      onProgress(((round + fraction) / ROUNDS) * 0.4),
    );
    moveMeans(table, means, sample, nearest.keys);
  }
  const everything = sharedRange(count);
  const probes = Math.min(PROBES, cellCount);
  const cells = await nearestMeans(source, pool, means, everything, probes, (fraction) =>
    onProgress(0.4 + fraction * 0.6),
  );
  return { cells, cellCount };
}

/** One per stretch, at a hashed position, so that a period in the data does not bias the sample. */
function evenSample(count: number, size: number): Int32Array {
  const stride = count / size;
  const sample = sharedInt32(size);
  for (let at = 0; at < size; at++) {
    const hash = (Math.imul(at + 1, 0x9e3779b1) >>> 8) / 2 ** 24;
    sample[at] = Math.min(count - 1, Math.floor((at + hash) * stride));
  }
  return sample;
}

async function nearestMeans(
  source: SearchedVectors,
  pool: ThreadPool,
  means: Float32Array,
  rows: Int32Array,
  length: number,
  onProgress: (fraction: number) => void,
): Promise<TopLists> {
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
  const lists = allocateTopLists(rows.length, length);
  await pool.run({ kind: 'scanAll', source, rows, blocks, lists, skipSelf: false }, rows.length, UNIT, onProgress);
  return lists;
}

/** A mean without vectors is left unchanged. */
function moveMeans(table: VectorTable, means: Float32Array, sample: Int32Array, nearest: Int32Array): void {
  const { dimension } = table;
  const sums = new Float32Array(means.length);
  for (let at = 0; at < sample.length; at++) {
    const row = table.row(sample[at]!);
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
