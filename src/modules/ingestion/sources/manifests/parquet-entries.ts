import { setImmediate } from 'node:timers/promises';
import type { FileMetaData } from 'hyparquet';
import {
  compressors,
  footerOf,
  isParseError,
  parquetLibrary,
  rangesOf,
  rootColumns,
} from '../../../../common/engine/compute/readers/parquet-bytes';
import { locationColumn, MalformedManifestError, MAX_ENTRY_BYTES, type ManifestFile } from './manifest-file';

const MAX_GROUP_BYTES = 256 * 1024 * 1024;
const MAX_GROUP_ROWS = 2_000_000;
/** Rows parsed before yielding to the event loop. */
const ROWS_AT_ONCE = 20_000;

/** Reads one column, a row group at a time; other columns are not fetched. */
export async function* readParquetEntries(file: ManifestFile): AsyncGenerator<string, undefined> {
  const { parquetReadObjects } = await parquetLibrary();
  const bytes = rangesOf(file);
  const metadata = await readable(() => footerOf(bytes));
  const columns = rootColumns(metadata);
  const column = columns[Math.max(locationColumn(columns), 0)];
  if (column === undefined) throw new MalformedManifestError('it has no column');
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    assertModest(group, column);
    const rowEnd = rowStart + Number(group.num_rows);
    const wanted = { file: bytes, metadata, columns: [column], rowStart, rowEnd, compressors };
    const rows = await readable(() => parquetReadObjects(wanted));
    for (const [i, row] of rows.entries()) {
      if (i % ROWS_AT_ONCE === 0) await setImmediate();
      const entry = textOf(row[column]);
      if (entry.length > MAX_ENTRY_BYTES) throw new MalformedManifestError('one of its entries is too long');
      yield entry;
    }
    rowStart = rowEnd;
  }
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isParseError(error)) throw error;
    throw new MalformedManifestError(error.message);
  }
}

function assertModest({ num_rows, columns }: FileMetaData['row_groups'][number], column: string): void {
  const bytes = columns
    .filter(({ meta_data }) => meta_data?.path_in_schema[0] === column)
    .reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
  if (bytes > MAX_GROUP_BYTES || num_rows > MAX_GROUP_ROWS || num_rows < 0)
    throw new MalformedManifestError(
      'one of its row groups is too large: write it with at most 1,000,000 rows a group',
    );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}
