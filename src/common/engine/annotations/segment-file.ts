import { type RecordBatch, Schema, Table, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { Pace } from '../../platform/concurrency/in-slices';
import { NO_ATTRIBUTES } from './attribute-columns';
import { Segment, type SegmentColumns } from './segment';

const LABELS = 'labels';
const HEAD_BYTES = 4;

type Columns = Readonly<Record<string, SegmentColumns[keyof SegmentColumns]>>;

/** Columns of one length each. */
const partsOf = ({ ids, firsts, offsets, ...columns }: SegmentColumns): readonly Columns[] => {
  const { blocks, starts, lengths, attributeFirsts, attributeCodes, attributeBounds, attributeTexts, ...others } =
    columns;
  const parts = [{ ids }, { firsts }, { offsets }, { blocks, starts, lengths }, others];
  if (attributeFirsts.length === 0) return parts;
  return [...parts, { attributeFirsts }, { attributeCodes }, { attributeBounds }, { attributeTexts }];
};

/** Arrow files one after the other, each after its length. The first has the labels too. */
export async function encodeSegment({ columns, labels }: Segment): Promise<Buffer> {
  const encoded: Uint8Array[] = [];
  const pace = new Pace();
  for (const part of partsOf(columns)) {
    const { schema, batches, numRows, numCols } = tableFromArrays(part);
    await pace.after(numRows * numCols);
    const metadata = encoded.length === 0 ? new Map([[LABELS, JSON.stringify(labels)]]) : null;
    encoded.push(tableToIPC(new Table(new Schema(schema.fields, metadata), batches as RecordBatch[]), 'file'));
  }
  return Buffer.concat(
    encoded.flatMap((bytes) => {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(bytes.length);
      return [head, bytes];
    }),
  );
}

export function decodeSegment(bytes: Buffer): Segment {
  const columns: Record<string, unknown> = { ...NO_ATTRIBUTES };
  let labels: readonly string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    at += HEAD_BYTES;
    // A copy, because Arrow reads numbers where they lie, and those must be aligned.
    const table = tableFromIPC(new Uint8Array(bytes.subarray(at, at + length)));
    at += length;
    for (const { name } of table.schema.fields) columns[name] = table.getChild(name)!.toArray();
    const { metadata } = table.schema;
    if (metadata.has(LABELS)) labels = JSON.parse(metadata.get(LABELS)!) as readonly string[];
  }
  return new Segment(columns as unknown as SegmentColumns, labels);
}
