import { columnsOf } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { FolderIndex } from './domain/folder-index';
import { emptyMeasures, MEASURE_SOURCES, type MeasureColumns } from './domain/measure-columns';

export interface RowBatches {
  /** Of each row, an index into the ids. */
  readonly batch: Int32Array;
  readonly batchIds: readonly string[];
}

const COLUMNS = MEASURE_SOURCES.map(({ measure, field, absent }) => ({ measure, name: columnsOf(field)[0]!, absent }));
const COLUMN_NAMES = COLUMNS.map(({ name }) => name);
const ABSENT = Object.fromEntries(COLUMNS.map(({ name, absent }) => [name, absent]));

const TEXT_BATCH_ROWS = 4_096;

export async function loadMeasures(table: MediaTable): Promise<MeasureColumns> {
  const measures = emptyMeasures(table.rows);
  for await (const { first, columns } of table.readColumns(COLUMN_NAMES, { absent: ABSENT })) {
    for (const { measure, name } of COLUMNS) {
      const column = columns[name]!;
      if (column instanceof BigInt64Array)
        for (let i = 0; i < column.length; i++) measures[measure][first + i] = Number(column[i]);
      else measures[measure].set(column, first);
    }
  }
  return measures;
}

export async function loadFolders(table: MediaTable): Promise<FolderIndex> {
  const folders = FolderIndex.builder(table.rows);
  for await (const rows of table.readRows(['path'], { batchRows: TEXT_BATCH_ROWS }))
    for (const { path } of rows) folders.add(path);
  return folders.build();
}

/** The batch that each row was added with. */
export async function loadBatches(table: MediaTable): Promise<RowBatches> {
  const batch = new Int32Array(table.rows);
  const numbers = new Map<string, number>();
  for await (const { first, count, bytes, bounds } of table.readTexts('batch_id')) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < count; i++) {
      const id = text.toString('latin1', bounds[i], bounds[i + 1]);
      let number = numbers.get(id);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(id, number);
      }
      batch[first + i] = number;
    }
  }
  return { batch, batchIds: [...numbers.keys()] };
}
