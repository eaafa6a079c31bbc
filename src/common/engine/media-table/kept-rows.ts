import { setImmediate } from 'node:timers/promises';
import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { mediaSchema } from './media-schema';
import type { MediaTable } from './media-table';
import type { OrdinalSet } from './ordinal-set';
import { fromRecordBatch, toRecordBatch } from './row-batch';

/** Small enough not to block the event loop: rows to drop are removed from a batch one by one. */
const BATCH_ROWS = 512;

/** The rows of a table that are in the set, in order. */
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
    if (places.length === batch.numRows && batch.numCols === columns.length) yield underSchema(batch, schema);
    else if (places.length > 0) {
      const rows = fromRecordBatch(batch);
      yield toRecordBatch(
        places.map((place) => rows[place]!),
        table.dimensions,
      );
      await setImmediate();
    }
  }
}

/** Lance returns equal schemas as different objects; batches that are written together must share one. */
function underSchema({ numRows: length, data: { children } }: RecordBatch, schema: Schema): RecordBatch {
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

function placesIn(keep: OrdinalSet, first: number, count: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < count; place++) if (keep.has(first + place)) places.push(place);
  return places;
}
