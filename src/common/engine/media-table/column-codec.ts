import { isAscii } from 'node:buffer';
import {
  type Data,
  DataType,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  Int64,
  Int8,
  List,
  makeData,
  Utf8,
} from 'apache-arrow';

/** The dimensions of the vector columns; without a dimension the table has no such column. */
export interface Dimensions {
  readonly embedding: number;
  readonly captionEmbedding: number;
  /** The dimension of the vectors of captions. */
  readonly generatedCaptionEmbedding?: number;
  readonly multimodalEmbedding?: number;
}

/** How a property of a row is stored in columns. */
export interface ColumnCodec<V> {
  fields(dimensions: Dimensions): Field[];
  write(count: number, valueAt: (row: number) => V, dimensions: Dimensions): Data[];
  /** `columns` are the columns of `fields`, in the same order. */
  read(columns: readonly Data[]): (row: number) => V;
}

/** Requests a layout from Lance that is fast for reading scattered values rather than for scans. */
export const FOR_TAKING: ReadonlyMap<string, string> = new Map([['lance-encoding:structural-encoding', 'fullzip']]);
const FOR_SCANNING: ReadonlyMap<string, string> = new Map();

export const text = (name: string, layout = FOR_SCANNING): ColumnCodec<string> => ({
  fields: () => [new Field(name, new Utf8(), false, new Map(layout))],
  write: (count, valueAt) => [writeText(count, valueAt)],
  read: ([column]) => readText(column!),
});

export const optionalText = (name: string, layout = FOR_SCANNING): ColumnCodec<string | null> => ({
  fields: () => [new Field(name, new Utf8(), true, new Map(layout))],
  write: (count, valueAt) => {
    const validity = validityOf(count, (row) => valueAt(row) !== null);
    return [writeText(count, (row) => valueAt(row) ?? '', validity)];
  },
  read: ([column]) => orNull(column!, readText(column!)),
});

/** A small structure as JSON, for values that no filter reads. */
export function optionalJson<V extends object>(name: string): ColumnCodec<V | null> {
  const codec = optionalText(name);
  return {
    fields: (dimensions) => codec.fields(dimensions),
    write: (count, valueAt, dimensions) => {
      const texts = Array.from({ length: count }, (_, row) => {
        const value = valueAt(row);
        return value === null ? null : JSON.stringify(value);
      });
      return codec.write(count, (row) => texts[row]!, dimensions);
    },
    read: (columns) => {
      const textAt = codec.read(columns);
      return (row) => {
        const text = textAt(row);
        return text === null ? null : (JSON.parse(text) as V);
      };
    },
  };
}

const textItem = new Field('item', new Utf8(), false);

export const textList = (name: string): ColumnCodec<readonly string[]> => ({
  fields: () => [new Field(name, new List(textItem), false)],
  write: (count, valueAt) => {
    const items: string[] = [];
    const valueOffsets = new Int32Array(count + 1);
    for (let row = 0; row < count; row++) {
      for (const item of valueAt(row)) items.push(item);
      valueOffsets[row + 1] = items.length;
    }
    const child = writeText(items.length, (item) => items[item]!);
    return [makeData({ type: new List(textItem), length: count, nullCount: 0, valueOffsets, child })];
  },
  read: ([column]) => {
    const itemAt = readText(column!.children[0] as Data);
    const offsets = offsetsOf(column!);
    return (row) => {
      const list: string[] = [];
      for (let item = offsets[row]!; item < offsets[row + 1]!; item++) list.push(itemAt(item));
      return list;
    };
  },
});

type NumberType = Int8 | Int32 | Float32 | Float64;

const number =
  (typeOf: () => NumberType) =>
  (name: string): ColumnCodec<number> => ({
    fields: () => [new Field(name, typeOf(), false)],
    write: (count, valueAt) => [writeNumbers(typeOf(), count, valueAt)],
    read: ([column]) => readNumbers(column!),
  });

const optionalNumber =
  (typeOf: () => NumberType) =>
  (name: string): ColumnCodec<number | null> => ({
    fields: () => [new Field(name, typeOf(), true)],
    write: (count, valueAt) => {
      const validity = validityOf(count, (row) => valueAt(row) !== null);
      return [writeNumbers(typeOf(), count, (row) => valueAt(row) ?? 0, validity)];
    },
    read: ([column]) => orNull(column!, readNumbers(column!)),
  });

export const int32 = number(() => new Int32());
export const float32 = number(() => new Float32());
export const optionalFloat32 = optionalNumber(() => new Float32());
export const optionalFloat64 = optionalNumber(() => new Float64());

/** Integers up to 2^53. */
export const int64 = (name: string): ColumnCodec<number> => ({
  fields: () => [new Field(name, new Int64(), false)],
  write: (count, valueAt) => {
    const data = new BigInt64Array(count);
    for (let row = 0; row < count; row++) data[row] = BigInt(valueAt(row));
    return [makeData({ type: new Int64(), length: count, nullCount: 0, data })];
  },
  read: ([column]) => {
    const values = column!.values as BigInt64Array;
    return (row) => Number(values[row]!);
  },
});

/** One of a few fixed words, stored as its index. */
export const oneOf = <W extends string>(name: string, words: readonly W[]): ColumnCodec<W> => {
  const positions = number(() => new Int8())(name);
  return {
    fields: (dimensions) => positions.fields(dimensions),
    write: (count, valueAt, dimensions) => positions.write(count, (row) => words.indexOf(valueAt(row)), dimensions),
    read: (columns) => {
      const positionAt = positions.read(columns);
      return (row) => words[positionAt(row)]!;
    },
  };
};

/** A record of nullable numbers, stored as one column per member. */
export const optionalNumbers = <K extends string>(
  columns: Readonly<Record<K, string>>,
  codecOf: (name: string) => ColumnCodec<number | null> = optionalFloat64,
): ColumnCodec<Readonly<Record<K, number>> | null> => {
  const members = Object.keys(columns) as K[];
  const codecs = members.map((member) => codecOf(columns[member]));
  return {
    fields: (dimensions) => codecs.flatMap((codec) => codec.fields(dimensions)),
    write: (count, valueAt, dimensions) =>
      codecs.flatMap((codec, i) => codec.write(count, (row) => valueAt(row)?.[members[i]!] ?? null, dimensions)),
    read: (data) => {
      const readers = codecs.map((codec, i) => codec.read([data[i]!]));
      return (row) => {
        const values = readers.map((read) => read(row));
        if (values.includes(null)) return null;
        return Object.fromEntries(members.map((member, i) => [member, values[i]])) as Record<K, number>;
      };
    },
  };
};

/** A fixed number of integers per row, stored as one column each. */
export const int32Tuple = <T extends readonly number[]>(names: readonly string[]): ColumnCodec<T> => {
  const codecs = names.map((name) => int32(name));
  return {
    fields: (dimensions) => codecs.flatMap((codec) => codec.fields(dimensions)),
    write: (count, valueAt, dimensions) =>
      codecs.flatMap((codec, i) => codec.write(count, (row) => valueAt(row)[i]!, dimensions)),
    read: (columns) => {
      const readers = codecs.map((codec, i) => codec.read([columns[i]!]));
      return (row) => readers.map((read) => read(row)) as unknown as T;
    },
  };
};

export function vectorLength(type: DataType): number {
  if (!DataType.isFixedSizeList(type)) throw new TypeError('Not a vector column');
  return type.listSize;
}

const vectorItem = new Field('item', new Float32(), true);

/** The column does not exist in a table whose dimensions lack this one. */
export const optionalVector = (name: string, which: keyof Dimensions): ColumnCodec<Float32Array | null> => ({
  fields: ({ [which]: dimension }) =>
    dimension === undefined ? [] : [new Field(name, new FixedSizeList(dimension, vectorItem), true)],
  write: (count, valueAt, { [which]: dimension }) => {
    if (dimension === undefined) {
      for (let row = 0; row < count; row++)
        if (valueAt(row) !== null) throw new RangeError(`The table has no column ${name} for the embedding of a row`);
      return [];
    }
    const data = new Float32Array(count * dimension);
    for (let row = 0; row < count; row++) {
      const vector = valueAt(row);
      if (vector === null) continue;
      if (vector.length !== dimension)
        throw new RangeError(`The embedding has ${vector.length} numbers, but the table requires ${dimension}`);
      data.set(vector, row * dimension);
    }
    const child = makeData({ type: new Float32(), length: data.length, nullCount: 0, data });
    const validity = validityOf(count, (row) => valueAt(row) !== null);
    return [makeData({ type: new FixedSizeList(dimension, vectorItem), length: count, ...validity, child })];
  },
  read: ([column]) => {
    const dimension = vectorLength(column!.type);
    const values = (column!.children[0] as Data).values as Float32Array;
    return orNull(column!, (row) => values.slice(row * dimension, (row + 1) * dimension));
  },
});

interface Validity {
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array;
}

const ALL_VALID: Validity = { nullCount: 0 };

function validityOf(count: number, isValid: (row: number) => boolean): Validity {
  const nullBitmap = new Uint8Array(Math.ceil(count / 64) * 8);
  let nullCount = 0;
  for (let row = 0; row < count; row++) {
    if (isValid(row)) nullBitmap[row >> 3]! |= 1 << (row & 7);
    else nullCount++;
  }
  return nullCount === 0 ? ALL_VALID : { nullCount, nullBitmap };
}

const orNull =
  <V>(column: Data, valueAt: (row: number) => V) =>
  (row: number): V | null =>
    column.getValid(row) ? valueAt(row) : null;

function writeNumbers(type: NumberType, count: number, valueAt: (row: number) => number, validity = ALL_VALID): Data {
  const data = new type.ArrayType(count);
  for (let row = 0; row < count; row++) data[row] = valueAt(row);
  return makeData({ type, length: count, ...validity, data } as Parameters<typeof makeData>[0]);
}

function readNumbers(column: Data): (row: number) => number {
  const values = column.values as Float64Array;
  return (row) => values[row]!;
}

function writeText(count: number, valueAt: (row: number) => string, validity = ALL_VALID): Data<Utf8> {
  const encoded = encodeAscii(count, valueAt) ?? encodeEach(Array.from({ length: count }, (_, row) => valueAt(row)));
  return makeData({ type: new Utf8(), length: count, ...validity, ...encoded });
}

interface EncodedText {
  readonly valueOffsets: Int32Array;
  readonly data: Uint8Array;
}

/** The common case, several times faster than encoding each value; undefined if a character is not ASCII. */
function encodeAscii(count: number, valueAt: (row: number) => string): EncodedText | undefined {
  const valueOffsets = new Int32Array(count + 1);
  for (let row = 0; row < count; row++) valueOffsets[row + 1] = valueOffsets[row]! + valueAt(row).length;
  const data = new Uint8Array(valueOffsets[count]!);
  let end = 0;
  for (let row = 0; row < count; row++) {
    const value = valueAt(row);
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) return undefined;
      data[end++] = code;
    }
  }
  return { valueOffsets, data };
}

function encodeEach(values: readonly string[]): EncodedText {
  const encoded = values.map((value) => Buffer.from(value, 'utf8'));
  const valueOffsets = new Int32Array(values.length + 1);
  for (let i = 0; i < encoded.length; i++) valueOffsets[i + 1] = valueOffsets[i]! + encoded[i]!.length;
  return { valueOffsets, data: Buffer.concat(encoded) };
}

/** Has one more entry than there are values. */
export const offsetsOf = (column: Data): Int32Array => column.valueOffsets as Int32Array;

export function readText(column: Data): (row: number) => string {
  const offsets = offsetsOf(column);
  const values = column.values as Uint8Array | undefined;
  if (values === undefined || values.length === 0) return () => '';
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const first = offsets[0]!;
  const last = offsets[column.length]!;
  // Slicing one long string is several times faster than decoding each value, and correct if every character is one byte.
  const whole = isAscii(bytes.subarray(first, last)) ? bytes.toString('latin1', first, last) : undefined;
  if (whole !== undefined) return (row) => whole.slice(offsets[row]! - first, offsets[row + 1]! - first);
  return (row) => bytes.toString('utf8', offsets[row], offsets[row + 1]);
}
