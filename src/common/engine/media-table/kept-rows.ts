import { setImmediate } from 'node:timers/promises';
import { DataType, makeData, RecordBatch, type Data, type Schema, Struct } from 'apache-arrow';
import { offsetsOf } from './column-codec';
import type { NumberArray } from './column-data';
import { mediaSchema } from './media-schema';
import type { MediaTable } from './media-table';
import type { OrdinalSet } from './ordinal-set';
import { fromRecordBatch, toRecordBatch } from './row-batch';

/** Small enough not to block the event loop. */
const BATCH_ROWS = 512;

/** Yields the rows of a table that are in the set, in order. */
export async function* keptRows(
  table: MediaTable,
  keep: OrdinalSet,
  onPart: (part: number) => void = () => undefined,
): AsyncGenerator<RecordBatch> {
  const schema = mediaSchema(table.dimensions);
  const columns = schema.fields.map(({ name }) => name);
  let first = 0;
  for await (const batch of table.scan(columns, { batchRows: BATCH_ROWS })) {
    const places = placesIn(keep, first, batch.numRows);
    first += batch.numRows;
    onPart(first / table.rows);
    const { children } = batch.data;
    if (places.length === 0) continue;
    if (batch.numCols < columns.length) yield withLaterColumns(batch, places, table);
    else if (places.length === batch.numRows) yield batchOf(schema, batch.numRows, children);
    else {
      const kept = children.map((column) => takenFrom(column, places));
      yield batchOf(schema, places.length, kept);
      await setImmediate();
    }
  }
}

/** Adds missing columns to batches of a table written by an earlier version. */
function withLaterColumns(batch: RecordBatch, places: Int32Array, { dimensions }: MediaTable): RecordBatch {
  const rows = fromRecordBatch(batch);
  return toRecordBatch(
    Array.from(places, (place) => rows[place]!),
    dimensions,
  );
}

/** Lance returns equal schemas as different objects; batches that are written together must share one. */
const batchOf = (schema: Schema, length: number, children: readonly Data[]): RecordBatch =>
  new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children: [...children] }));

function placesIn(keep: OrdinalSet, first: number, count: number): Int32Array {
  const places = new Int32Array(count);
  let end = 0;
  for (let place = 0; place < count; place++) if (keep.has(first + place)) places[end++] = place;
  return places.subarray(0, end);
}

type AnyData = Parameters<typeof makeData>[0];

/** Takes the values at these places, for every type of a media table. Creating objects for rows would take several times as long. */
function takenFrom(column: Data, places: Int32Array): Data {
  const { type, children } = column;
  const own = { type, length: places.length, ...validityAt(column, places) };
  if (DataType.isFixedSizeList(type)) {
    const child = takenNumbers(children[0]!, places, type.listSize);
    return makeData({ ...own, child } as AnyData);
  }
  if (DataType.isList(type)) {
    const { valueOffsets, items } = takenBounds(offsetsOf(column), places);
    return makeData({ ...own, valueOffsets, child: takenFrom(children[0]!, items) } as AnyData);
  }
  if (!DataType.isUtf8(type)) return makeData({ ...own, data: numbersAt(column, places, 1) } as AnyData);
  const bounds = offsetsOf(column);
  const bytes = (column.values as Uint8Array | undefined) ?? new Uint8Array();
  const valueOffsets = offsetsAt(bounds, places);
  const data = new Uint8Array(valueOffsets[places.length]!);
  places.forEach((place, at) => data.set(bytes.subarray(bounds[place], bounds[place + 1]), valueOffsets[at]));
  return makeData({ ...own, valueOffsets, data } as AnyData);
}

function validityAt(
  column: Data,
  places: Int32Array,
): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  if (column.nullCount === 0) return { nullCount: 0 };
  const nullBitmap = new Uint8Array(Math.ceil(places.length / 64) * 8);
  let nullCount = 0;
  places.forEach((place, at) => {
    if (column.getValid(place)) nullBitmap[at >> 3]! |= 1 << (at & 7);
    else nullCount++;
  });
  return { nullCount, nullBitmap };
}

function numbersAt({ values }: Data, places: Int32Array, size: number): NumberArray {
  const all = values as Float32Array;
  const taken = new (all.constructor as Float32ArrayConstructor)(places.length * size);
  if (size === 1) places.forEach((place, at) => (taken[at] = all[place]!));
  else places.forEach((place, at) => taken.set(all.subarray(place * size, (place + 1) * size), at * size));
  return taken;
}

function takenNumbers(column: Data, places: Int32Array, size: number): Data {
  const data = numbersAt(column, places, size);
  return makeData({ type: column.type, length: data.length, nullCount: 0, data } as AnyData);
}

function offsetsAt(bounds: Int32Array, places: Int32Array): Int32Array {
  const offsets = new Int32Array(places.length + 1);
  places.forEach((place, at) => (offsets[at + 1] = offsets[at]! + bounds[place + 1]! - bounds[place]!));
  return offsets;
}

function takenBounds(bounds: Int32Array, places: Int32Array) {
  const valueOffsets = offsetsAt(bounds, places);
  const items = new Int32Array(valueOffsets[places.length]!);
  places.forEach((place, at) => {
    for (let item = bounds[place]!; item < bounds[place + 1]!; item++)
      items[valueOffsets[at]! + item - bounds[place]!] = item;
  });
  return { valueOffsets, items };
}
