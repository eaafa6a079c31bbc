import type { Data, RecordBatch } from 'apache-arrow';
import { vectorLength } from './column-codec';

export type NumberArray = Int8Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

export interface EncodedTexts {
  readonly bytes: Uint8Array;
  /** Text i is between bounds[i] and bounds[i + 1]. */
  readonly bounds: Int32Array;
}

export function findColumn(batch: RecordBatch, name: string): Data | undefined {
  const index = batch.schema.fields.findIndex((field) => field.name === name);
  return batch.data.children[index];
}

export function columnAt(batch: RecordBatch, name: string): Data {
  const column = findColumn(batch, name);
  if (column === undefined) throw new Error(`The batch has no column ${name}`);
  return column;
}

export const encodedTexts = (column: Data): EncodedTexts => ({
  // Absent if all texts are empty.
  bytes: (column.values as Uint8Array | undefined) ?? new Uint8Array(),
  bounds: column.valueOffsets as Int32Array,
});

export const textsOf = (batch: RecordBatch, name: string): EncodedTexts => encodedTexts(columnAt(batch, name));

/** A vector column contains its vectors consecutively; `absent` replaces null. */
export function numbersOf(batch: RecordBatch, name: string, absent = 0): NumberArray {
  const column = columnAt(batch, name);
  const items = column.children[0];
  const length = items === undefined ? 1 : vectorLength(column.type);
  const numbers = ((items ?? column).values as NumberArray).subarray(0, batch.numRows * length);
  if (column.nullCount > 0) fillAbsent(column, numbers, length, absent);
  return numbers;
}

/** The stored values of nulls are undefined. */
function fillAbsent(column: Data, numbers: NumberArray, length: number, absent: number): void {
  for (let row = 0; row * length < numbers.length; row++) {
    if (!column.getValid(row)) (numbers as Float32Array).fill(absent, row * length, (row + 1) * length);
  }
}
