import { OrdinalSet } from '../../../common/media-table/ordinal-set';
import { inSlices } from './in-slices';

export const MEASURES = ['blur', 'dark', 'bright', 'outliers', 'uniqueness', 'width', 'height', 'size'] as const;
export type Measure = (typeof MEASURES)[number];

/** The numbers by which rows are filtered; arrays by ordinal. */
export type MeasureColumns = Readonly<Record<Measure, Float32Array | Int32Array | Float64Array>>;

export const bytesOfMeasures = (columns: MeasureColumns): number =>
  MEASURES.reduce((sum, name) => sum + columns[name].byteLength, 0);

/** The rows whose value lies between two bounds, both included. */
export async function rowsBetween(
  column: Float32Array | Int32Array | Float64Array,
  min: number,
  max: number,
): Promise<OrdinalSet> {
  const found = OrdinalSet.none(column.length);
  await inSlices(column.length, (start, end) => {
    for (let row = start; row < end; row++) if (column[row]! >= min && column[row]! <= max) found.add(row);
  });
  return found;
}
