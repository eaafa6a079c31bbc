import { ByteWriter } from 'hyparquet-writer';
import type { ParquetType, SchemaElement } from 'hyparquet';

/** The page of a column in a row group, encoded but not compressed. */
export interface ColumnPage {
  /** Includes nulls and empty lists. */
  readonly count: number;
  readonly nulls: number;
  readonly repetitionLevels: Uint8Array;
  readonly definitionLevels: Uint8Array;
  readonly values: Uint8Array;
}

export interface ParquetColumn<V> {
  readonly schema: readonly SchemaElement[];
  /** Names from the column down to its values. */
  readonly path: readonly string[];
  readonly type: ParquetType;
  encode(values: readonly V[]): ColumnPage;
}

const NO_LEVELS = new Uint8Array(0);

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const textElement = (name: string): SchemaElement => ({ ...TEXT, name, repetition_type: 'REQUIRED' });

const required = (count: number, values: Uint8Array): ColumnPage => ({
  count,
  nulls: 0,
  repetitionLevels: NO_LEVELS,
  definitionLevels: NO_LEVELS,
  values,
});

export const textColumn = (name: string): ParquetColumn<string> => ({
  schema: [textElement(name)],
  path: [name],
  type: 'BYTE_ARRAY',
  encode: (values) => required(values.length, textBytes(values)),
});

export const textListColumn = (name: string): ParquetColumn<readonly string[]> => ({
  schema: [
    { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1, repetition_type: 'REQUIRED' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    textElement('element'),
  ],
  path: [name, 'list', 'element'],
  type: 'BYTE_ARRAY',
  encode: (lists) => {
    const [repetition, definition, values]: [number[], number[], string[]] = [[], [], []];
    for (const list of lists) {
      if (list.length === 0) {
        repetition.push(0);
        definition.push(0);
      }
      for (let i = 0; i < list.length; i++) {
        repetition.push(i === 0 ? 0 : 1);
        definition.push(1);
        values.push(list[i]!);
      }
    }
    return {
      count: definition.length,
      nulls: definition.length - values.length,
      repetitionLevels: levels(repetition),
      definitionLevels: levels(definition),
      values: textBytes(values),
    };
  },
});

const numberColumn =
  (type: 'INT32' | 'FLOAT', arrayOf: (values: readonly number[]) => Int32Array | Float32Array) =>
  (name: string): ParquetColumn<number> => ({
    schema: [{ name, type, repetition_type: 'REQUIRED' }],
    path: [name],
    type,
    encode: (values) => required(values.length, new Uint8Array(arrayOf(values).buffer)),
  });

export const int32Column = numberColumn('INT32', (values) => Int32Array.from(values));
export const floatColumn = numberColumn('FLOAT', (values) => Float32Array.from(values));

/** Null is left out of the values, and marked in the levels. */
const optional = <V>(
  element: Omit<SchemaElement, 'name' | 'repetition_type'> & { readonly type: ParquetType },
  bytesOf: (values: readonly V[]) => Uint8Array,
) => {
  return (name: string): ParquetColumn<V | null> => ({
    schema: [{ ...element, name, repetition_type: 'OPTIONAL' }],
    path: [name],
    type: element.type,
    encode: (values) => {
      const present = values.filter((value) => value !== null);
      return {
        count: values.length,
        nulls: values.length - present.length,
        repetitionLevels: NO_LEVELS,
        definitionLevels: levels(values.map((value) => (value === null ? 0 : 1))),
        values: bytesOf(present),
      };
    },
  });
};

export const optionalTextColumn = optional<string>(TEXT, textBytes);

export const optionalDoubleColumn = optional<number>(
  { type: 'DOUBLE' },
  (values) => new Uint8Array(Float64Array.from(values).buffer),
);

/** In milliseconds since 1970, UTC. */
export const optionalTimeColumn = optional<number>(
  {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  (values) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
);

/** Eight to a byte, the first in the lowest bit. */
export const optionalBooleanColumn = optional<boolean>({ type: 'BOOLEAN' }, (values) => {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [at, value] of values.entries()) bytes[at >> 3]! |= Number(value) << (at & 7);
  return bytes;
});

/** Vectors; an empty list for null. */
export const vectorColumn = (name: string): ParquetColumn<Float32Array | null> => ({
  schema: [
    { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1, repetition_type: 'REQUIRED' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  ],
  path: [name, 'list', 'element'],
  type: 'FLOAT',
  encode: (vectors) => {
    const numbers = vectors.reduce((sum, vector) => sum + (vector?.length ?? 0), 0);
    const count = vectors.reduce((sum, vector) => sum + Math.max(1, vector?.length ?? 0), 0);
    const repetition = new Uint8Array(count).fill(1);
    const definition = new Uint8Array(count).fill(1);
    const values = new Float32Array(numbers);
    let [at, end] = [0, 0];
    for (const vector of vectors) {
      repetition[at] = 0;
      if (vector === null || vector.length === 0) definition[at] = 0;
      else values.set(vector, end);
      end += vector?.length ?? 0;
      at += Math.max(1, vector?.length ?? 0);
    }
    return {
      count,
      nulls: count - numbers,
      repetitionLevels: levels(repetition),
      definitionLevels: levels(definition),
      values: new Uint8Array(values.buffer),
    };
  },
});

/** Each 0 or 1: a single run of one value, or eight to a byte. */
function levels(values: readonly number[] | Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  if (values.every((value) => value === values[0])) {
    writer.appendVarInt(values.length << 1);
    writer.appendUint8(values[0] ?? 0);
    return writer.getBytes();
  }
  const packed = new Uint8Array(Math.ceil(values.length / 8));
  for (let at = 0; at < values.length; at++) packed[at >> 3]! |= values[at]! << (at & 7);
  writer.appendVarInt((packed.length << 1) | 1);
  writer.appendBytes(packed);
  return writer.getBytes();
}

const LENGTH_BYTES = 4;
/** Of UTF-8, for one unit of a text. */
const MOST_BYTES_A_UNIT = 3;

/** Each text after its length. */
function textBytes(values: readonly string[]): Uint8Array {
  const units = values.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafeSlow(LENGTH_BYTES * values.length + MOST_BYTES_A_UNIT * units);
  let end = 0;
  for (const value of values) {
    const written = bytes.write(value, end + LENGTH_BYTES);
    bytes.writeUInt32LE(written, end);
    end += LENGTH_BYTES + written;
  }
  return bytes.subarray(0, end);
}
