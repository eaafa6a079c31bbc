import { sharedFloat32, sharedInt8 } from '../../arithmetic/shared-arrays';

/** `float` keeps the vectors; `byte` quantises them, which suffices for candidates. */
export type Precision = 'float' | 'byte';

/** The vectors to score, stored consecutively. */
export type VectorRows = Float32Array | Uint8Array;

/** The vectors to score against, as the columns of a [dimension x count] matrix. */
export interface VectorBlock {
  readonly count: number;
  readonly columns: Float32Array | Int8Array;
  readonly scale: Float32Array;
}

/** All blocks in one array; block b contains `members` from start[b] to start[b + 1]. */
export interface VectorBlocks {
  readonly precision: Precision;
  readonly dimension: number;
  readonly members: Int32Array;
  readonly start: Int32Array;
  readonly columns: Float32Array | Int8Array;
  readonly scale: Float32Array;
  /** The descriptor of a file with the columns, if they are not in memory. */
  readonly file?: number | undefined;
}

/** Processors without VNNI add pairs of byte products in 16 bits: 127 x 127 x 2 fits, 255 x 127 x 2 does not. */
export const ROW_ZERO = 64;
const ROW_LIMIT = 63;
const COLUMN_LIMIT = 127;

/** Row r begins at r x stride. */
export interface FloatRows {
  readonly floats: Float32Array;
  readonly stride: number;
  readonly dimension: number;
}

function largest(vectors: Float32Array, start: number, dimension: number): number {
  let most = 0;
  for (let at = start; at < start + dimension; at++) most = Math.max(most, Math.abs(vectors[at]!));
  return most === 0 ? 1 : most;
}

/** `Math.round` is much slower. */
const rounded = (value: number): number => Math.floor(value + 0.5);

/** The scale of a row is omitted, because it does not change the order within the row. */
export function encodeRow({ floats, stride, dimension }: FloatRows, row: number, into: Uint8Array): void {
  const factor = ROW_LIMIT / largest(floats, row * stride, dimension);
  for (let at = 0; at < dimension; at++) {
    into[row * dimension + at] = rounded(floats[row * stride + at]! * factor) + ROW_ZERO;
  }
}

export function allocateBlocks(
  precision: Precision,
  dimension: number,
  members: Int32Array,
  start: Int32Array,
): VectorBlocks {
  const length = members.length * dimension;
  return {
    precision,
    dimension,
    members,
    start,
    columns: precision === 'float' ? sharedFloat32(length) : sharedInt8(length),
    scale: sharedFloat32(members.length),
  };
}

export function blockAt(blocks: VectorBlocks, index: number): VectorBlock {
  const from = blocks.start[index]!;
  const to = blocks.start[index + 1]!;
  const { dimension } = blocks;
  return {
    count: to - from,
    columns: blocks.columns.subarray(from * dimension, to * dimension),
    scale: blocks.scale.subarray(from, to),
  };
}

export function fillBlock(blocks: VectorBlocks, index: number, { floats, stride }: FloatRows): void {
  const { count, columns, scale } = blockAt(blocks, index);
  const { dimension, precision } = blocks;
  const first = blocks.start[index]!;
  for (let column = 0; column < count; column++) {
    const row = blocks.members[first + column]! * stride;
    if (precision === 'float') {
      for (let at = 0; at < dimension; at++) columns[at * count + column] = floats[row + at]!;
      continue;
    }
    const most = largest(floats, row, dimension);
    const factor = COLUMN_LIMIT / most;
    for (let at = 0; at < dimension; at++) columns[at * count + column] = rounded(floats[row + at]! * factor);
    scale[column] = most / COLUMN_LIMIT;
  }
}
