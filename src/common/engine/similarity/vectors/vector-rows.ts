import { encodeRow, type Precision, type VectorRows } from './vector-blocks';
import type { VectorTable, VectorTableHandle } from './vector-table';

/** The vectors of a search and, if it is quantised, their bytes. */
export interface SearchedVectors {
  readonly precision: Precision;
  readonly count: number;
  readonly table: VectorTableHandle;
  /** Filled for `byte` only. */
  readonly encoded: Uint8Array;
}

export function encodeRows({ encoded }: SearchedVectors, table: VectorTable, from: number, to: number): void {
  for (let row = from; row < to; row++) encodeRow(table, row, encoded);
}

export function allocateRows({ precision, table }: SearchedVectors, rows: number): VectorRows {
  const length = rows * table.dimension;
  return precision === 'float' ? new Float32Array(length) : new Uint8Array(length);
}

export function gatherRow(
  source: SearchedVectors,
  table: VectorTable,
  row: number,
  into: VectorRows,
  at: number,
): void {
  const { dimension } = table;
  const values =
    source.precision === 'float' ? table.row(row) : source.encoded.subarray(row * dimension, (row + 1) * dimension);
  into.set(values, at * dimension);
}
