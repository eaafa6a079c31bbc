import { strideOf } from '../vectors/vector-table';

/** Lists, edges and clusters of a vector, whatever its dimension: the most at any time. */
const LIST_BYTES = 600;
/** Two cells of the largest size, which are sorted and laid out in memory. */
const LEAST_ROOM = 16_384;
/** WebAssembly has at most 16 GiB of memory, and more than this makes nothing faster. */
const MOST_TABLE_BYTES = 8 * 2 ** 30;

/** Where vectors are compared that do not all fit into memory. */
export interface MemoryLimit {
  readonly bytes: number;
  /** An empty folder for scratch files, removed by the caller. */
  readonly folder: string;
}

/** What it takes to compare vectors that all lie in memory: as they come, as a table to compute with, and as bytes in rows and columns. */
export const bytesInMemory = (count: number, dimension: number): number => count * (10 * dimension + LIST_BYTES);

/** The least that it takes to compare vectors in files. A few always fit: their room is not counted. */
export const leastBytes = (count: number, dimension: number): number =>
  count * LIST_BYTES + (count > LEAST_ROOM ? LEAST_ROOM * workBytes(dimension) : 0);

/**
 * The most that scratch files of groups of vectors take: each group has its vectors in a file from the beginning, and while one is compared,
 * these are there in another order and smoothed too, or with their blocks.
 */
export function mostScratchBytes(counts: readonly number[], dimension: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return 4 * strideOf(dimension) * (all + 2 * Math.max(...counts));
}

/** How many vectors may be in memory at once. */
export function roomFor(count: number, dimension: number, bytes: number): number {
  const most = Math.floor(MOST_TABLE_BYTES / (4 * strideOf(dimension)));
  return Math.min(most, Math.max(LEAST_ROOM, Math.floor((bytes - count * LIST_BYTES) / workBytes(dimension))));
}

/** For a vector in the table and, for half as many, a second copy; the rest is for bytes, blocks and edges. */
const workBytes = (dimension: number): number => 8 * strideOf(dimension) + 400;
