import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { Member } from '../given-files';
import type { JsonObject } from '../json-values';
import { MalformedFileError } from '../malformed-file';

const MAX_ROW_BYTES = 2 ** 24;

/** Rows by the names of their columns; a cell that is empty is absent. */
export async function* rowsOfCsv({
  name,
  bytes,
}: Member): AsyncGenerator<{ readonly line: number; readonly value: JsonObject }> {
  const parser = parse({
    bom: true,
    columns: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    info: true,
  });
  // Errors of the pipeline surface below, where the rows are read.
  pipeline(bytes, parser).catch(() => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number };
    }>) {
      const cells = Object.entries(record).filter(([, text]) => text !== '');
      yield { line: info.lines, value: Object.fromEntries(cells) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new MalformedFileError(`${name}: ${error.message.slice(0, 200)}`);
  }
}
