import type { Crew } from './crew';
import { sharedFloat32, sharedInt32, sharedRange } from '../arithmetic/shared-arrays';
import { allocateTopLists, type TopLists } from './top-lists';
import { allocateBlocks } from './vector-blocks';
import type { SearchedVectors } from './vector-rows';
import { VectorTable } from './vector-table';

/** Cells that a vector's neighbours are looked for in. */
const PROBES = 16;
const MEMBERS_A_CELL = 512;
const SAMPLE_A_CELL = 32;
const ROUNDS = 3;
const MOST_LINEAR_CELLS = 4096;
const BLOCK = 512;
const UNIT = 2048;

export interface MeanCells {
  /** For each vector the cells nearest to it, the nearest first. */
  readonly cells: TopLists;
  readonly cellCount: number;
}

/** Beyond two million vectors the cells grow too, so that assigning vectors to cells doesn't become quadratic. */
export function cellCountFor(count: number): number {
  const wanted = Math.ceil(count / MEMBERS_A_CELL);
  return wanted <= MOST_LINEAR_CELLS ? wanted : Math.ceil(Math.sqrt(wanted * MOST_LINEAR_CELLS));
}

/** Groups the vectors round means found on an even sample: k-means, the same at every run. */
export async function meanCells(
  source: SearchedVectors,
  crew: Crew,
  onProgress: (fraction: number) => void,
): Promise<MeanCells> {
  const { count } = source;
  const table = new VectorTable(source.table);
  const { dimension } = table;
  const cellCount = cellCountFor(count);
  const sample = evenSample(count, Math.min(count, cellCount * SAMPLE_A_CELL));
  const means = sharedFloat32(cellCount * dimension);
  const stride = sample.length / cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    means.set(table.row(sample[Math.floor(cell * stride)]!), cell * dimension);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = await nearestMeans(source, crew, means, sample, 1, (fraction) =>
      onProgress(((round + fraction) / ROUNDS) * 0.4),
    );
    moveMeans(table, means, sample, nearest.keys);
  }
  const everything = sharedRange(count);
  const probes = Math.min(PROBES, cellCount);
  const cells = await nearestMeans(source, crew, means, everything, probes, (fraction) =>
    onProgress(0.4 + fraction * 0.6),
  );
  return { cells, cellCount };
}

/** Spread over all of them, each stretch's pick hashed so that no period in the data is met. */
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
  crew: Crew,
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
  await crew.run(
    { kind: 'fillBlocks', blocks, rows: { floats: means, stride: dimension, dimension } },
    start.length - 1,
    1,
  );
  const lists = allocateTopLists(rows.length, length);
  await crew.run({ kind: 'scanAll', source, rows, blocks, lists, skipSelf: false }, rows.length, UNIT, onProgress);
  return lists;
}

/** A mean with no vector stays where it is. */
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
