import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import type { RowGroup } from 'hyparquet';
import { trimEndOf } from '../../../../common/platform/text/texts';
import {
  type AnnotationFile,
  AnnotationReadError,
  counted,
  RejectedRows,
  MalformedAnnotationError,
  chunksOf,
  wholeFile,
} from './annotation-file';
import { AnnotationIndex, INDEX_LIMITS, MOST_BOXES_OF_A_PICTURE, type IndexLimits } from './annotation-index';
import { tableFor, type TableOptions, type AnnotationTable } from './annotation-table';
import { CocoReader } from './coco-annotations';
import { compressors, parquetLibrary, rootColumns } from '../../../../common/engine/compute/readers/parquet-bytes';
import { assertSoundPages } from '../../../../common/engine/compute/readers/parquet-pages';

/** Loads the whole file, because the footer is at its end; unpacks one row group at a time. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
const MAX_GROUP_BYTES = 512 * 1024 * 1024;
const MAX_GROUP_ROWS = 5_000_000;
/** Rows parsed before yielding to the event loop. */
const ROWS_AT_ONCE = 20_000;

/** Limits a row, so that an unclosed quotation mark doesn't load the rest of the file. */
const MAX_ROW_BYTES = 1 << 20;

const MEGABYTE = 1024 * 1024;

export interface ReadAnnotations {
  readonly index: AnnotationIndex;
  /** Messages for the user. */
  readonly warnings: string[];
}

/**
 * Reads annotation files. Errors in a file become warnings, and its valid parts are kept;
 * throws only AnnotationReadError, if its bytes can't be read.
 */
export async function readAnnotations(
  files: readonly AnnotationFile[],
  limits: IndexLimits = INDEX_LIMITS,
  options: TableOptions = {},
): Promise<ReadAnnotations> {
  const index = new AnnotationIndex(limits);
  const warnings: string[] = [];
  for (const file of files) warnings.push(...(await readOne(file, index, options)));
  return { index, warnings: [...warnings, ...limitWarnings(index, limits)] };
}

export function limitWarnings(index: AnnotationIndex, limits: IndexLimits = INDEX_LIMITS): string[] {
  const objects = `The annotation files hold more than ${counted(limits.objects, 'object')}: those beyond are left out.`;
  const megabytes = limits.bytes / MEGABYTE;
  const texts = `The annotation files hold more than ${megabytes} MB of names, labels, captions and fields: those beyond are left out.`;
  const crowded = `${counted(index.crowdedPictures, 'picture has', 'pictures have')} more than ${counted(MOST_BOXES_OF_A_PICTURE, 'box', 'boxes')}: those beyond are left out.`;
  return [
    ...(index.crowdedPictures > 0 ? [crowded] : []),
    ...(index.refusedObjects ? [objects] : []),
    ...(index.isFull ? [texts] : []),
  ];
}

/** A warning about annotated files that the dataset doesn't have, if any. */
export async function unknownFileWarnings(
  index: AnnotationIndex,
  paths: AsyncIterable<string> | Iterable<string>,
): Promise<string[]> {
  const { count, examples } = await index.unknownFiles(paths);
  if (count === 0) return [];
  const named = examples.map((path) => JSON.stringify(path.slice(0, 120))).join(', ');
  return [
    `${counted(count, 'annotated file')} not in the dataset: ${named}${count > examples.length ? ' and others' : ''}.`,
  ];
}

async function readOne(file: AnnotationFile, index: AnnotationIndex, options: TableOptions): Promise<string[]> {
  const { rejected, read, noun } = readerOf(file, index, options);
  const warnings: string[] = [];
  try {
    await read();
  } catch (error) {
    if (error instanceof AnnotationReadError) throw error;
    warnings.push(`${file.name} is not in the expected format: ${reasonOf(error)}.`);
  }
  return [...warnings, ...rejected.warnings(file.name, noun)];
}

function readerOf(
  file: AnnotationFile,
  index: AnnotationIndex,
  options: TableOptions,
): { rejected: RejectedRows; read: () => Promise<void>; noun: string } {
  if (file.name === 'annotations.json') {
    const reader = new CocoReader(index, options);
    return { rejected: reader.rejected, read: () => reader.read(file), noun: 'element' };
  }
  const table = tableFor(file.name, index, options);
  const read = file.name.endsWith('.csv') ? readCsv : readParquet;
  return { rejected: table.rejected, read: () => read(file, table), noun: 'row' };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [sentence = ''] = message.slice(0, 300).split('\n');
  return trimEndOf(sentence.trimEnd(), '.') || 'it cannot be read';
}

/** Streams the rows, so that the size of the file doesn't matter. */
async function readCsv(file: AnnotationFile, table: AnnotationTable): Promise<void> {
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // Errors of the pipeline surface below, where the rows are read.
  pipeline(chunksOf(file), parser).catch(() => undefined);
  let positions: ReadonlyMap<string, number> | undefined;
  let row = 1;
  for await (const fields of parser as AsyncIterable<string[]>) {
    if (positions === undefined) {
      const names = fields.map((field) => field.trim());
      positions = new Map(table.columnsAmong(names).map((column) => [column, names.indexOf(column)]));
      continue;
    }
    row += 1;
    const at = positions;
    table.add((column) => fields[at.get(column) ?? -1], row);
    if (!table.hasRoom) return;
  }
  if (positions === undefined) throw new MalformedAnnotationError('it is empty');
}

async function readParquet(file: AnnotationFile, table: AnnotationTable): Promise<void> {
  const { parquetMetadata, parquetReadObjects } = await parquetLibrary();
  const { buffer } = await wholeFile(file, MAX_FILE_BYTES);
  const metadata = parquetMetadata(buffer);
  const columns = table.columnsAmong(rootColumns(metadata));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    assertModest(group, columns);
    await assertSoundPages(buffer, metadata, group, columns);
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
