import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import type { AnnotationFile } from './annotation-file';
import type { AnnotationTable } from './annotation-table';
import { MalformedAnnotationError } from './annotation-warnings';
import { chunksOf } from './file-chunks';

/** Limits a row, so that an unclosed quotation mark doesn't load the rest of the file. */
const MAX_ROW_BYTES = 1 << 20;

/** Streams the rows, so that the size of the file doesn't matter. */
export async function readCsv(file: AnnotationFile, table: AnnotationTable): Promise<void> {
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
