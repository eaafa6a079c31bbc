import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { FolderIndex } from './domain/folder-index';
import { MEASURES, type Measure, type MeasureColumns } from './domain/measure-columns';

export interface RowBatches {
  /** Of each row, an index into the ids. */
  readonly batch: Int32Array;
  readonly batchIds: readonly string[];
}

const COLUMNS = {
  blur: 'blur_confidence',
  dark: 'dark_confidence',
  bright: 'bright_confidence',
  outliers: 'outlier_confidence',
  mislabels: 'mislabel_confidence',
  class_outliers: 'class_outlier_confidence',
  uniqueness: 'uniqueness',
  width: 'width',
  height: 'height',
  size: 'size_bytes',
} as const satisfies Record<Measure, string>;

const TEXT_BATCH_ROWS = 4_096;

export async function loadMeasures(table: MediaTable): Promise<MeasureColumns> {
  const { rows } = table;
  const floats = (): Float32Array => new Float32Array(rows);
  const whole = (): Int32Array => new Int32Array(rows);
  const measures = {
    blur: floats(),
    dark: floats(),
    bright: floats(),
    outliers: floats(),
    mislabels: floats(),
    class_outliers: floats(),
    uniqueness: floats(),
    width: whole(),
    height: whole(),
    size: new Float64Array(rows),
  };
  for await (const { first, columns } of table.readColumns(Object.values(COLUMNS))) {
    for (const name of MEASURES) {
      const column = columns[COLUMNS[name]]!;
      if (column instanceof BigInt64Array)
        for (let i = 0; i < column.length; i++) measures[name][first + i] = Number(column[i]);
      else measures[name].set(column, first);
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
