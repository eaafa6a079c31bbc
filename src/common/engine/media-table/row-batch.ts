import { type Data, makeData, RecordBatch, RecordBatchStreamWriter, Struct, tableFromIPC } from 'apache-arrow';
import type { ColumnCodec, Dimensions } from './column-codec';
import { captionTextOf, type MediaRow } from './media-row';
import {
  CAPTION_TEXT_CODEC,
  CARD_CODEC,
  columnsOf,
  isLaterColumn,
  MEDIA_CODECS,
  MEDIA_FIELDS,
  mediaSchema,
  type MediaField,
} from './media-schema';
import { CARD_COLUMN, isCardField, readCard, writeCard } from './row-card';

export function toRecordBatch(rows: readonly MediaRow[], dimensions: Dimensions): RecordBatch {
  const schema = mediaSchema(dimensions);
  const children = [
    ...MEDIA_FIELDS.flatMap((field) => writeField(field, rows, dimensions)),
    ...CARD_CODEC.write(rows.length, cardsOf(rows), dimensions),
    ...CAPTION_TEXT_CODEC.write(rows.length, (row) => captionTextOf(rows[row]!), dimensions),
  ];
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new RecordBatch(schema, data);
}

type Reader = (row: number) => unknown;

/** Reads the given properties of each row from their columns or, if these are missing, from the rows' cards. */
export function fromRecordBatch<K extends MediaField = MediaField>(
  batch: RecordBatch,
  fields: readonly K[] = MEDIA_FIELDS as readonly MediaField[] as readonly K[],
): Pick<MediaRow, K>[] {
  const readerOf = readersOver(batch);
  const readers = fields.map(readerOf);
  const rows = new Array<Record<string, unknown>>(batch.numRows);
  let value: Record<string, unknown> = {};
  for (let row = 0; row < rows.length; row++) {
    // The copy is allocated with room for all properties, so that adding them does not reallocate it.
    value = { ...value };
    for (let i = 0; i < fields.length; i++) value[fields[i]!] = readers[i]!(row);
    rows[row] = value;
  }
  return rows as unknown as Pick<MediaRow, K>[];
}

function readersOver(batch: RecordBatch): (field: MediaField) => Reader {
  const columns = new Map(batch.schema.fields.map((field, i) => [field.name, batch.data.children[i]!]));
  const columnAt = (name: string): Data => {
    const column = columns.get(name);
    if (column === undefined) throw new Error(`The batch has no column ${name}`);
    return column;
  };
  let cards: readonly ReturnType<typeof readCard>[] | undefined;
  return (field) => {
    const names = columnsOf(field);
    const isOnCard = isCardField(field) && !columns.has(names[0]!) && columns.has(CARD_COLUMN);
    if (!isOnCard && names.some((name) => isLaterColumn(name) && !columns.has(name))) return () => null;
    if (!isOnCard) return (MEDIA_CODECS[field] as ColumnCodec<unknown>).read(names.map(columnAt));
    const textAt = CARD_CODEC.read([columnAt(CARD_COLUMN)]);
    const read = (cards ??= Array.from({ length: batch.numRows }, (_, row) => readCard(textAt(row))));
    return (row) => read[row]![field];
  };
}

/** Cached, because each value is read more than once while a column is written. */
function cardsOf(rows: readonly MediaRow[]): (row: number) => string {
  const cards = rows.map(writeCard);
  return (row) => cards[row]!;
}

/** A chunk file: rows as an Arrow IPC stream, in the schema of the media table. */
export function encodeChunk(rows: readonly MediaRow[]): Uint8Array {
  const lengthOf = (field: keyof Dimensions): number | undefined =>
    rows.find((row) => row[field] !== null)?.[field]?.length;
  const generatedCaptionEmbedding = lengthOf('generatedCaptionEmbedding');
  const multimodalEmbedding = lengthOf('multimodalEmbedding');
  return encodeBatch(
    toRecordBatch(rows, {
      embedding: lengthOf('embedding') ?? 1,
      captionEmbedding: lengthOf('captionEmbedding') ?? 1,
      ...(generatedCaptionEmbedding !== undefined && { generatedCaptionEmbedding }),
      ...(multimodalEmbedding !== undefined && { multimodalEmbedding }),
    }),
  );
}

export const encodeBatch = (batch: RecordBatch): Uint8Array =>
  RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);

export const decodeChunk = (bytes: Uint8Array): MediaRow[] =>
  tableFromIPC(bytes).batches.flatMap((batch) => fromRecordBatch(batch));

function writeField(field: MediaField, rows: readonly MediaRow[], dimensions: Dimensions): Data[] {
  const codec = MEDIA_CODECS[field] as ColumnCodec<unknown>;
  return codec.write(rows.length, (row) => rows[row]![field], dimensions);
}
