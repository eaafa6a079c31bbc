import { classifyFileName } from '../../../tables';
import { readCsvRows } from './csv-rows';
import { locationColumn, type ManifestFile } from './manifest-file';
import { readParquetEntries } from './parquet-entries';
import { readTextLines } from './text-lines';

/** The locations in a manifest as written, one at a time, without empty ones. */
export async function* readManifest(file: ManifestFile): AsyncGenerator<string, undefined> {
  for await (const entry of entriesOf(file)) {
    const trimmed = entry.trim();
    if (trimmed !== '') yield trimmed;
  }
}

function entriesOf(file: ManifestFile): AsyncGenerator<string, undefined> {
  if (file.kind === 'parquet') return readParquetEntries(file);
  return file.kind === 'csv' ? csvEntries(file) : readTextLines(file);
}

async function* csvEntries(file: ManifestFile): AsyncGenerator<string, undefined> {
  let column: number | undefined;
  for await (const row of readCsvRows(file)) {
    if (column === undefined) {
      const named = locationColumn(row);
      column = Math.max(named, 0);
      // Without a header the first row is an entry too.
      if (named === -1 && classifyFileName(row[0]?.trim() ?? '') !== 'unsupported') yield row[0]!;
      continue;
    }
    yield row[column] ?? '';
  }
}
