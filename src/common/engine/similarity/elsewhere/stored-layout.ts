import { strideOf } from '../vectors/vector-table';
import { cellCountFor } from '../cells/mean-cells';
import type { Range } from '../rows/row-store';

/** The sizes of vectors stored in the order of their cells. */
export interface OrderedShape {
  readonly count: number;
  readonly dimension: number;
  readonly cells: number;
  readonly blocks: number;
  /** The number of cells in which the neighbours of a vector are searched. */
  readonly probes: number;
}

/** Takes some seconds. */
const LEAST_STEP_ROWS = 16_384;
/** Rows of a step per cell. Each row is compared with sixteen cells. */
const STEP_ROWS_A_CELL = 8;

/** The rows of one step. It grows with the number of cells, because otherwise few rows would be compared with each cell. */
export const stepRows = (count: number): number => Math.max(LEAST_STEP_ROWS, STEP_ROWS_A_CELL * cellCountFor(count));

/** Files are stored in pieces of this size, so that a step fetches only what it needs and an interrupted upload can be continued. */
export const PIECE_BYTES = 8 * 2 ** 20;

/** The files of ordered vectors in the store. */
export type StoredFile = 'vectors' | 'blocks' | 'probed' | 'index';

const INT = 4;

export function bytesOf({ count, dimension, cells, blocks, probes }: OrderedShape, file: StoredFile): number {
  switch (file) {
    case 'vectors':
      return count * strideOf(dimension) * INT;
    case 'blocks':
      return count * dimension;
    case 'probed':
      return count * probes * INT;
    case 'index':
      return (count + blocks + 1 + cells + 1) * INT;
  }
}

const numbered = (number: number): string => String(number).padStart(8, '0');

export const pieceKey = (prefix: string, file: StoredFile, piece: number): string =>
  `${prefix}${file}/${numbered(piece)}`;

/** The result of each pass: neighbours in the nearest cells, then also those among the neighbours' neighbours. */
export type SearchPass = 'scanned' | 'refined';

export const listsPrefix = (prefix: string, pass: SearchPass): string => `${prefix}${pass}/`;
export const listsKey = (prefix: string, pass: SearchPass, part: number): string =>
  `${listsPrefix(prefix, pass)}${numbered(part)}`;
/** The number of the part whose lists have this key. */
export const partOfKey = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1));

export const partCount = (count: number): number => Math.ceil(count / stepRows(count));

/** The rows of a part. */
export const partRange = (count: number, part: number): Range => ({
  from: part * stepRows(count),
  to: Math.min(count, (part + 1) * stepRows(count)),
});
