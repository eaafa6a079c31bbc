import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import type { FileMetaData } from 'hyparquet';
import type { FileReader } from '../../../../common/engine/compute/readers/reader-messages';
import {
  MalformedManifestError,
  type ManifestKind,
  locationColumn,
  type ManifestFile,
  MAX_ENTRY_BYTES,
  SeenKeys,
} from './manifest-entry';
import { classifyFileName } from '../../../tables/formats';
import {
  compressors,
  footerOf,
  isParseError,
  parquetLibrary,
  rangesOf,
  rootColumns,
} from '../../../../common/engine/compute/readers/parquet-bytes';

const MAX_GROUP_BYTES = 256 * 1024 * 1024;
const MAX_GROUP_ROWS = 2_000_000;
/** Rows parsed before yielding to the event loop. */
const ROWS_AT_ONCE = 20_000;

export interface ManifestSource {
  readonly kind: ManifestKind;
  readonly uri: string;
  /** In bytes. */
  readonly size: number;
}

export type ManifestPiece = { readonly entries: readonly string[] } | { readonly fault: string };

const MOST_ENTRIES = 1000;
const MOST_CHARACTERS = 256 * 1024;

/** Runs in a child process. */
export const read: FileReader<ManifestSource, ManifestPiece> = async function* ({ kind, uri, size }, sources) {
  const seen = new SeenKeys();
  let entries: string[] = [];
  let characters = 0;
  try {
    for await (const entry of readManifest({ kind, size, open: (range) => sources.open(uri, range) })) {
      // A few bytes of Parquet may repeat a long entry millions of times.
      if (!seen.addIfNew(entry)) continue;
      entries.push(entry);
      characters += entry.length;
      if (entries.length < MOST_ENTRIES && characters < MOST_CHARACTERS) continue;
      yield { entries };
      [entries, characters] = [[], 0];
    }
    yield { entries };
  } catch (error) {
    if (!(error instanceof MalformedManifestError)) throw error;
    yield { entries };
    yield { fault: error.fault };
  }
};

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

/** Lines in UTF-8, with any line ending. */
async function* readTextLines(file: ManifestFile): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const source = await file.open();
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split(/[\r\n]+/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_ENTRY_BYTES) throw new MalformedManifestError('one of its lines is too long');
      yield* lines;
    }
  } finally {
    source.destroy();
  }
  yield `${rest}${decoder.decode()}`;
}

/** Streams the rows, so that the size of the file doesn't matter. */
async function* readCsvRows(file: ManifestFile): AsyncGenerator<readonly string[], undefined> {
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ENTRY_BYTES,
  });
  const source = await file.open();
  // Errors of the pipeline surface below, where the rows are read.
  pipeline(source, parser).catch(() => undefined);
  try {
    for await (const row of parser as AsyncIterable<string[]>) yield row;
  } catch (error) {
    throw error instanceof CsvError ? new MalformedManifestError(error.message) : error;
  } finally {
    source.destroy();
  }
}

/** Reads one column, a row group at a time; other columns are not fetched. */
async function* readParquetEntries(file: ManifestFile): AsyncGenerator<string, undefined> {
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
