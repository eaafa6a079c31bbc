/** So many rows lie together; the last block may hold fewer. */
export const BLOCK_ROWS = 2 ** 16;

/** The upper plane lies in panels of so many rows, column after column: so one product reads it once, at the speed of memory. */
export const PANEL_ROWS = 256;

/** The lower plane keeps signed bytes with this added. */
export const BYTE_ZERO = 128;
const PLANE = 256;
export const NONE = -1;
/** The largest that both planes hold: 127 in the upper, and what rounding moves to the lower. */
const LARGEST = 127 * PLANE;
const BEYOND_LARGEST = 2 * LARGEST;

/** Slightly up, so that a bound kept in 32 bits stays a bound. */
const ROUND_UP = 1 + 2 ** -22;

/** Unit vectors in 16 bits a number: row's number = scale x (256 x upper + lower). */
export interface QuantisedRows {
  readonly count: number;
  readonly dimension: number;
  /** Panel after panel, filled up with zeros. */
  readonly upper: Int8Array;
  /** Row after row. */
  readonly lower: Uint8Array;
  /** Of whole panels. Below zero, since a score is taken off a distance; 0 where there is no vector. */
  readonly negativeScale: Float32Array;
  /** Of whole panels. 1, or Infinity where there is no vector. */
  readonly farthest: Float32Array;
  /** Lengths of what the upper plane, and both planes, leave out of the unit vector; NONE where there is no vector. */
  readonly coarseError: Float32Array;
  readonly fineError: Float32Array;
}

const BYTES_BESIDE_THE_PLANES = 16;

export const bytesOfRows = (rows: number, dimension: number): number =>
  rows * (2 * dimension + BYTES_BESIDE_THE_PLANES);

const inPanels = (rows: number): number => Math.ceil(rows / PANEL_ROWS) * PANEL_ROWS;

export const allocateQuantisedRows = (count: number, dimension: number): QuantisedRows => ({
  count,
  dimension,
  upper: new Int8Array(inPanels(count) * dimension),
  lower: new Uint8Array(count * dimension),
  negativeScale: new Float32Array(inPanels(count)),
  farthest: new Float32Array(inPanels(count)),
  coarseError: new Float32Array(count),
  fineError: new Float32Array(count),
});

/** What can be handed from thread to thread without a copy. */
export const buffersOf = (blocks: readonly QuantisedRows[]): ArrayBuffer[] =>
  blocks.flatMap(({ upper, lower, negativeScale, farthest, coarseError, fineError }) =>
    [upper, lower, negativeScale, farthest, coarseError, fineError].map((array) => array.buffer as ArrayBuffer),
  );

/** Rows of `vectors` become those from `first` on. */
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
  const inPanel = row % PANEL_ROWS;
  let toUpper = (row - inPanel) * dimension + inPanel;
  let toLower = row * dimension;
  for (let at = start; at < start + dimension; at++, toLower++, toUpper += PANEL_ROWS) {
    const value = hasDirection ? vectors[at]! * shorten : 0;
    // Rounded: above zero, to cut off is to round down. What is scaled is never further from zero than LARGEST and a little.
    const whole = ((value * perStep + (BEYOND_LARGEST + 0.5)) | 0) - BEYOND_LARGEST;
    const high = (whole + PLANE / 2) >> 8;
    upper[toUpper] = high;
    lower[toLower] = whole - high * PLANE + BYTE_ZERO;
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
