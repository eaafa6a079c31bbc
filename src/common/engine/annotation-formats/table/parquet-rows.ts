import type { FileMetaData, RowGroup } from 'hyparquet';
import { compressors, footerOf, parquetLibrary, rootColumns } from '../../compute/readers/parquet-bytes';
import { assertSoundPages } from '../../compute/readers/parquet-pages';
import type { Member } from '../given-files';
import type { JsonObject } from '../json-values';
import { MalformedFileError } from '../malformed-file';

/** The index of a Parquet file is at its end, so a file is read as a whole. */
const MAX_BYTES = 512 * 2 ** 20;
const MAX_GROUP_BYTES = 256 * 2 ** 20;
const MAX_GROUP_ROWS = 2_000_000;
const MAX_ROWS = 20_000_000;
const MAX_COLUMNS = 1_000;

/** Rows by the names of their columns; a value that is null is absent. */
export async function* rowsOfParquet({
  name,
  bytes,
}: Member): AsyncGenerator<{ readonly entry: number; readonly value: JsonObject }> {
  const whole = await wholeOf(name, bytes);
  const { parquetReadObjects } = await parquetLibrary();
  const file = { byteLength: whole.byteLength, slice: (start: number, end?: number) => whole.slice(start, end) };
  const metadata = await parsed(name, () => footerOf(file));
  const names = await parsed(name, () => Promise.resolve(rootColumns(metadata)));
  assertFew(name, metadata, names);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    assertModest(name, group);
    await parsed(name, () => assertSoundPages(whole, metadata, group, names));
    const [rowEnd, own] = [Number(group.num_rows), { ...metadata, row_groups: [group] }];
    const rows: Record<string, unknown>[] = [];
    // One after the other: an error in one would leave promises of the others that reject unseen.
    for (const column of names) {
      const wanted = { file, metadata: own, columns: [column], rowStart: 0, rowEnd, compressors };
      for (const [at, row] of (await parsed(name, () => parquetReadObjects(wanted))).entries())
        (rows[at] ??= {})[column] = plainOf(row[column]);
    }
    for (const [at, value] of rows.entries()) yield { entry: rowStart + at + 1, value };
    rowStart += rowEnd;
  }
}

/** Whole numbers of 64 bits become others, and null becomes absent. */
const plainOf = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : (value ?? undefined));

async function wholeOf(name: string, bytes: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new MalformedFileError(`${name} is larger than ${MAX_BYTES / 2 ** 20} MiB: divide it, or send it as CSV`);
    parts.push(chunk);
  }
  return new Uint8Array(Buffer.concat(parts)).buffer;
}

function assertFew(name: string, { row_groups: groups }: FileMetaData, columns: readonly string[]): void {
  const rows = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (columns.length > MAX_COLUMNS)
    throw new MalformedFileError(`${name} has more than ${MAX_COLUMNS} columns: leave out those of other tools`);
  if (!(rows <= MAX_ROWS))
    throw new MalformedFileError(`${name} has more than ${MAX_ROWS} rows: divide it, or send it as CSV`);
}

function assertModest(name: string, { num_rows: rows, columns }: RowGroup): void {
  const bytes = columns.reduce((sum, { meta_data: data }) => sum + Number(data?.total_uncompressed_size ?? 0), 0);
  if (bytes > MAX_GROUP_BYTES || rows > MAX_GROUP_ROWS || rows < 0)
    throw new MalformedFileError(
      `${name} has a row group that is too large: write it with at most 100,000 rows a group`,
    );
}

/** The bytes are in memory, so any error is about them. */
async function parsed<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new MalformedFileError(`${name} can't be read as Parquet: ${(error as Error).message.slice(0, 200)}`);
  }
}
