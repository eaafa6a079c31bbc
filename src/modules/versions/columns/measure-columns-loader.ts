import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { FolderIndex } from './domain/folder-index';
import { MEASURES, type Measure, type MeasureColumns } from './domain/measure-columns';

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
