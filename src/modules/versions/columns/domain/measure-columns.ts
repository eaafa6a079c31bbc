import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';

/** Columns of issues have the names of the issues. */
export const MEASURED_ISSUES = ['blur', 'dark', 'bright', 'outliers', 'mislabels', 'class_outliers'] as const;
export const MEASURES = [...MEASURED_ISSUES, 'uniqueness', 'width', 'height', 'size'] as const;
export type Measure = (typeof MEASURES)[number];

/** Numeric columns for filters; arrays by ordinal. */
export type MeasureColumns = Readonly<Record<Measure, Column>>;

export const bytesOfMeasures = (columns: MeasureColumns): number =>
  MEASURES.reduce((sum, name) => sum + columns[name].byteLength, 0);

type Column = Float32Array | Int32Array | Float64Array;

/** Rows with a value between two bounds, inclusive. */
export const rowsBetween = (column: Column, min: number, max: number): Promise<OrdinalSet> =>
  byWords(column.length, (from, to) => {
    let word = 0;
    for (let row = from; row < to; row++) {
      const value = column[row]!;
      // & instead of &&: a mispredicted branch costs three times as much as both comparisons.
      word |= (Number(value >= min) & Number(value <= max)) << (row & 31);
    }
    return word;
  });

/** Rows with a value above a bound. */
export const rowsAbove = (column: Column, bound: number): Promise<OrdinalSet> =>
  byWords(column.length, (from, to) => {
    let word = 0;
    for (let row = from; row < to; row++) word |= Number(column[row]! > bound) << (row & 31);
    return word;
  });

/** Writes 32 rows at a time: a third of the time of adding row by row. A slice has a multiple of 32 rows. */
export async function byWords(
  rows: number,
  wordOf: (from: number, to: number) => number,
  slice?: number,
): Promise<OrdinalSet> {
  const words = new Uint32Array(Math.ceil(rows / 32));
  await inSlices(
    rows,
    (start, end) => {
      for (let row = start; row < end; row += 32) words[row >>> 5] = wordOf(row, Math.min(end, row + 32));
    },
    slice,
  );
  return OrdinalSet.over(rows, words);
}
