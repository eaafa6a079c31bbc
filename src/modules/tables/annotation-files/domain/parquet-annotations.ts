import { setImmediate } from 'node:timers/promises';
import type { RowGroup } from 'hyparquet';
import { compressors, parquetLibrary, rootColumns } from '../../../../common/engine/compute/readers/parquet-bytes';
import type { AnnotationFile } from './annotation-file';
import type { AnnotationTable } from './annotation-table';
import { MalformedAnnotationError } from './annotation-warnings';
import { wholeFile } from './file-chunks';

/** Loads the whole file, because the footer is at its end; unpacks one row group at a time. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
const MAX_GROUP_BYTES = 512 * 1024 * 1024;
const MAX_GROUP_ROWS = 5_000_000;
/** Rows parsed before yielding to the event loop. */
const ROWS_AT_ONCE = 20_000;

export async function readParquet(file: AnnotationFile, table: AnnotationTable): Promise<void> {
  const { parquetMetadata, parquetReadObjects } = await parquetLibrary();
  const { buffer } = await wholeFile(file, MAX_FILE_BYTES);
  const metadata = parquetMetadata(buffer);
  const columns = table.columnsAmong(rootColumns(metadata));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    assertModest(group, columns);
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({ file: buffer, metadata, columns, rowStart, rowEnd, compressors });
    for (const [i, row] of rows.entries()) {
      if (i % ROWS_AT_ONCE === 0) await setImmediate();
      table.add((column) => row[column] as unknown, rowStart + i + 1);
      if (!table.hasRoom) return;
    }
    rowStart = rowEnd;
  }
}

function assertModest(group: RowGroup, columns: readonly string[]): void {
  const bytes = group.columns
    .filter(({ meta_data }) => columns.includes(meta_data?.path_in_schema[0] ?? ''))
    .reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
  if (bytes > MAX_GROUP_BYTES || group.num_rows > MAX_GROUP_ROWS || group.num_rows < 0) {
    throw new MalformedAnnotationError(
      'one of its row groups is too large: write it with at most 1,000,000 rows a group',
    );
  }
}
