import { type RecordBatch, Schema, Table, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { Pace } from '../../platform/concurrency/in-slices';

const LABELS = 'labels';
const HEAD_BYTES = 4;

type Column = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type Columns = Readonly<Record<string, Column>>;

/** Arrow files one after the other, each after its length: one of each part, whose columns have one length. The first has the labels too. */
export async function encodeColumns(parts: readonly Columns[], labels: readonly string[]): Promise<Buffer> {
  const encoded: Uint8Array[] = [];
  const pace = new Pace();
  for (const part of parts) {
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

export async function decodeColumns(
  bytes: Buffer,
): Promise<{ readonly columns: Columns; readonly labels: readonly string[] }> {
  const columns: Record<string, Column> = {};
  let labels: readonly string[] = [];
  const pace = new Pace();
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    at += HEAD_BYTES;
    await pace.after(length);
    // A copy, because Arrow reads numbers where they lie, and those must be aligned.
    const table = tableFromIPC(new Uint8Array(bytes.subarray(at, at + length)));
    at += length;
    for (const { name } of table.schema.fields) columns[name] = table.getChild(name)!.toArray() as Column;
    const { metadata } = table.schema;
    if (metadata.has(LABELS)) labels = JSON.parse(metadata.get(LABELS)!) as readonly string[];
  }
  return { columns, labels };
}
