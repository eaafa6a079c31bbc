import { RUN_ROWS, runsOf } from './found-distances';

/** The size of a block's upper plane: an allocation this large gets separate pages, which are returned to the system. */
const BLOCK_BYTES = 2 ** 25;

/** The number of rows in a block; the last one may have fewer. */
export const rowsOfBlocks = (dimension: number): number => runsOf(BLOCK_BYTES / dimension) * RUN_ROWS;

/** Added to the signed bytes of the lower plane. */
export const BYTE_ZERO = 128;
const PLANE = 256;
export const NONE = -1;
/** The largest value of both planes: 127 in the upper plane, plus the part that rounding moves to the lower one. */
const LARGEST = 127 * PLANE;
const BEYOND_LARGEST = 2 * LARGEST;

/** Rounds up slightly, so that a bound stored in 32 bits remains a bound. */
const ROUND_UP = 1 + 2 ** -22;

/** Unit vectors in 16 bits per number: number = scale x (256 x upper + lower). */
export interface QuantisedRows {
  readonly count: number;
  readonly dimension: number;
  /** Column-major, as required by the matrix product. */
  readonly upper: Int8Array;
  /** Row-major. */
  readonly lower: Uint8Array;
  /** Negative, because scores are subtracted from distances; 0 if there is no vector. */
  readonly negativeScale: Float32Array;
  /** 1, or Infinity if there is no vector. */
  readonly farthest: Float32Array;
  /** The lengths of the quantisation errors of the upper plane and of both planes; NONE if there is no vector. */
  readonly coarseError: Float32Array;
  readonly fineError: Float32Array;
}

/** Scales, bounds, sums and distances. */
const BYTES_BESIDE_THE_PLANES = 32;

/** The memory of a session in the runtime, one per block. It is most of the memory of a small matrix. */
const BYTES_OF_A_SESSION = 160 * 1024;

/** The memory of a matrix. */
export const bytesOfRows = (rows: number, dimension: number): number =>
  rows * (2 * dimension + BYTES_BESIDE_THE_PLANES) + Math.ceil(rows / rowsOfBlocks(dimension)) * BYTES_OF_A_SESSION;

export const allocateQuantisedRows = (count: number, dimension: number): QuantisedRows => ({
  count,
  dimension,
  upper: new Int8Array(count * dimension),
  lower: new Uint8Array(count * dimension),
  negativeScale: new Float32Array(count),
  farthest: new Float32Array(count),
  coarseError: new Float32Array(count),
  fineError: new Float32Array(count),
});

export const arraysOf = ({ upper, lower, negativeScale, farthest, coarseError, fineError }: QuantisedRows) => [
  upper,
  lower,
  negativeScale,
  farthest,
  coarseError,
  fineError,
];

/** The buffers to transfer between threads without a copy. */
export const buffersOf = (rows: QuantisedRows) => arraysOf(rows).map((array) => array.buffer as ArrayBuffer);

const ROWS_AT_A_TIME = 64;

/** Transposes row-major quantised data to column-major, in groups of rows that fit into the processor's cache. */
export function inColumns(rows: QuantisedRows): QuantisedRows {
  const { count, dimension, upper } = rows;
  const columns = new Int8Array(count * dimension);
  for (let first = 0; first < count; first += ROWS_AT_A_TIME) {
    const end = Math.min(count, first + ROWS_AT_A_TIME);
    for (let column = 0; column < dimension; column++) {
      let to = column * count + first;
      for (let row = first; row < end; row++) columns[to++] = upper[row * dimension + column]!;
    }
  }
  return { ...rows, upper: columns };
}

/** Quantises `vectors` into the rows from `first` on, row-major in both planes. */
export function quantise(rows: QuantisedRows, first: number, vectors: Float32Array): void {
  const count = vectors.length / rows.dimension;
  for (let row = 0; row < count; row++) quantiseRow(rows, first + row, vectors, row * rows.dimension);
}

function quantiseRow(rows: QuantisedRows, row: number, vectors: Float32Array, start: number): void {
  const { dimension, upper, lower } = rows;
  let squares = 0;
  let most = 0;
  for (let at = start; at < start + dimension; at++) {
    const value = vectors[at]!;
    squares += value * value;
    most = Math.max(most, Math.abs(value));
  }
  const length = Math.sqrt(squares);
  const hasDirection = length > 0 && length < Infinity;
  const scale = hasDirection ? Math.fround(most / length / LARGEST) : 0;
  const shorten = hasDirection ? 1 / length : 0;
  const perStep = hasDirection ? 1 / scale : 0;
  const upperScale = scale * PLANE;
  let coarse = 0;
  let fine = 0;
  let to = row * dimension;
  for (let at = start; at < start + dimension; at++, to++) {
    const value = hasDirection ? vectors[at]! * shorten : 0;
    // Rounds to the nearest integer. The number is positive, so truncation rounds down; scaled numbers barely exceed LARGEST.
    const whole = ((value * perStep + (BEYOND_LARGEST + 0.5)) | 0) - BEYOND_LARGEST;
    const high = (whole + PLANE / 2) >> 8;
    upper[to] = high;
    lower[to] = whole - high * PLANE + BYTE_ZERO;
    const beyondUpper = value - upperScale * high;
    const beyondBoth = value - scale * whole;
    coarse += beyondUpper * beyondUpper;
    fine += beyondBoth * beyondBoth;
  }
  rows.negativeScale[row] = -scale;
  rows.farthest[row] = hasDirection ? 1 : Infinity;
  rows.coarseError[row] = hasDirection ? Math.sqrt(coarse) * ROUND_UP : NONE;
  rows.fineError[row] = hasDirection ? Math.sqrt(fine) * ROUND_UP : NONE;
}
