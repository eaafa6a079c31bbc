import { resultKey } from '../../steps/step-plan';
import { strideOf } from '../vectors/vector-table';
import { cellCountFor } from '../cells/mean-cells';
import type { Range } from '../rows/filed-rows';

/** The sizes of vectors stored in the order of their cells. */
export interface OrderedShape {
  readonly count: number;
  readonly dimension: number;
  readonly cells: number;
  readonly blocks: number;
  /** The number of cells in which the neighbours of a vector are searched. */
  readonly probes: number;
  /** The number of vectors in each part but the last, which are searched by one step. */
  readonly partRows: number;
}

/** Takes some seconds. */
const LEAST_PART_ROWS = 16_384;
/** Rows of a part per cell. Each row is compared with sixteen cells. */
const PART_ROWS_A_CELL = 8;

/** The rows of a part. It grows with the number of cells, because otherwise few rows would be compared with each cell. */
export const rowsOfPart = (count: number): number => Math.max(LEAST_PART_ROWS, PART_ROWS_A_CELL * cellCountFor(count));

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

/** The two steps of a part: neighbours in the nearest cells, then also those among the neighbours' neighbours. */
export const SEARCH_STEPS = ['scan-cells', 'refine-neighbours'] as const;
export type SearchStep = (typeof SEARCH_STEPS)[number];

/** The result of a step are the lists of neighbours of its part. */
export const stepId = (step: SearchStep, part: number): string => `${step}-${part}`;
export const listsKey = (prefix: string, step: SearchStep, part: number): string =>
  resultKey(prefix, stepId(step, part));

export const partCount = ({ count, partRows }: OrderedShape): number => Math.ceil(count / partRows);

/** The rows of a part. */
export const partRange = ({ count, partRows }: OrderedShape, part: number): Range => ({
  from: part * partRows,
  to: Math.min(count, (part + 1) * partRows),
});
