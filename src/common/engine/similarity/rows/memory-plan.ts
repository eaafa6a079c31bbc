import { strideOf } from '../vectors/vector-table';

/** The maximum of a vector's lists, edges and clusters at any time, for any dimension. */
const LIST_BYTES = 600;
/** Room for two cells of the largest size, which are sorted and laid out in memory. */
export const LEAST_ROOM = 16_384;
/** WebAssembly has at most 16 GiB of memory, and a larger table is not faster. */
const MOST_TABLE_BYTES = 8 * 2 ** 30;

/** The limit for comparing vectors. */
export interface MemoryLimit {
  readonly bytes: number;
  /** An empty folder for scratch files, removed by the caller. */
  readonly folder: string;
}

/** The memory to compare vectors with room for all of them at once. */
export const mostBytes = (count: number, dimension: number): number => count * (LIST_BYTES + workBytes(dimension));

/** The least memory to compare vectors. The room for the first few vectors is not counted. */
export const leastBytes = (count: number, dimension: number): number =>
  count * LIST_BYTES + (count > LEAST_ROOM ? LEAST_ROOM * workBytes(dimension) : 0);

/**
 * The maximum size of the scratch files of several groups of vectors. Each group has a file of its vectors from the beginning; while a group is
 * compared, there are also a reordered copy and either a smoothed copy or the blocks.
 */
export function mostScratchBytes(counts: readonly number[], dimension: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return 4 * strideOf(dimension) * (all + 2 * Math.max(...counts));
}

/** The number of vectors that may be in memory at once. */
export function roomFor(count: number, dimension: number, bytes: number): number {
  const most = Math.floor(MOST_TABLE_BYTES / (4 * strideOf(dimension)));
  return Math.min(most, Math.max(LEAST_ROOM, Math.floor((bytes - count * LIST_BYTES) / workBytes(dimension))));
}

/** Bytes per vector: the table and, for half of the vectors, a second copy; the rest is for quantised bytes, blocks and edges. */
const workBytes = (dimension: number): number => 8 * strideOf(dimension) + 400;
