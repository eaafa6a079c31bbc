import { crc32 } from 'node:zlib';
import { type RecordBatch, Schema, Table, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { inSlices, Pace } from '../../platform/concurrency/in-slices';

const LABELS = 'labels';
const HEAD_BYTES = 4;
/** In the place of a length: the checksum of everything before it follows. Older files have none. */
const CHECKSUM = 0xff_ff_ff_ff;
const CHECKSUM_BYTES = 2 * HEAD_BYTES;
const CHECKED_AT_ONCE = 2 ** 20;

type Column = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type Columns = Readonly<Record<string, Column>>;

/** Arrow files one after the other, each after its length: one of each part, whose columns have one length. The first has the labels too. A checksum follows. */
export async function encodeColumns(parts: readonly Columns[], labels: readonly string[]): Promise<Buffer> {
  const encoded: Uint8Array[] = [];
  const pace = new Pace();
  for (const part of parts) {
    const { schema, batches, numRows, numCols } = tableFromArrays(part);
    await pace.after(numRows * numCols);
    const metadata = encoded.length === 0 ? new Map([[LABELS, JSON.stringify(labels)]]) : null;
    encoded.push(tableToIPC(new Table(new Schema(schema.fields, metadata), batches as RecordBatch[]), 'file'));
  }
  const end = encoded.reduce((sum, { length }) => sum + HEAD_BYTES + length, 0);
  const file = Buffer.allocUnsafe(end + CHECKSUM_BYTES);
  let at = 0;
  for (const bytes of encoded) {
    await pace.after(bytes.length);
    file.writeUInt32LE(bytes.length, at);
    file.set(bytes, at + HEAD_BYTES);
    at += HEAD_BYTES + bytes.length;
  }
  file.writeUInt32LE(CHECKSUM, end);
  file.writeUInt32LE(await checksumOf(file.subarray(0, end)), end + HEAD_BYTES);
  return file;
}

async function checksumOf(bytes: Uint8Array): Promise<number> {
  let sum = 0;
  const add = (start: number, end: number): void => void (sum = crc32(bytes.subarray(start, end), sum));
  await inSlices(bytes.length, add, CHECKED_AT_ONCE);
  return sum;
}

/** Without its checksum. Throws if that is another one. */
async function checked(file: Buffer): Promise<Buffer> {
  const end = file.length - CHECKSUM_BYTES;
  if (end < 0 || file.readUInt32LE(end) !== CHECKSUM) return file;
  const content = file.subarray(0, end);
  if ((await checksumOf(content)) !== file.readUInt32LE(end + HEAD_BYTES))
    throw new Error('The checksum does not match');
  return content;
}

/** Throws if the file is damaged. */
export async function decodeColumns(
  file: Buffer,
): Promise<{ readonly columns: Columns; readonly labels: readonly string[] }> {
  const columns: Record<string, Column> = {};
  let labels: readonly string[] = [];
  const pace = new Pace();
  const bytes = await checked(file);
  if (bytes.length === 0) throw new Error('The file is empty');
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    at += HEAD_BYTES;
    if (at + length > bytes.length) throw new Error('The file ends in the middle');
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
