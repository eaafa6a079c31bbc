import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { MalformedManifestError, MAX_ENTRY_BYTES, type ManifestFile } from './manifest-file';

/** Streams the rows, so that the size of the file doesn't matter. */
export async function* readCsvRows(file: ManifestFile): AsyncGenerator<readonly string[], undefined> {
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
