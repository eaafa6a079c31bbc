import type { LinePicture } from './line-picture';

/** Bounds the memory of the results, which have a number for each character at every eighth column. */
const MAX_BATCH_COLUMNS = 4096;
/** As in the training of the models; shorter lines are padded. */
export const MIN_COLUMNS = 320;

export interface LineBatch {
  /** The positions of the lines in the list. */
  readonly lines: readonly number[];
  readonly columns: number;
}

/** Lines of similar widths together, because all lines of a batch are padded to the widest. */
export function lineBatches(widths: readonly number[]): LineBatch[] {
  const batches: { lines: number[]; columns: number }[] = [];
  const ordered = widths.map((width, line) => ({ width: Math.max(MIN_COLUMNS, width), line }));
  for (const { width, line } of ordered.sort((a, b) => a.width - b.width)) {
    const last = batches.at(-1);
    if (last !== undefined && (last.lines.length + 1) * width <= MAX_BATCH_COLUMNS) {
      last.lines.push(line);
      last.columns = width;
    } else batches.push({ lines: [line], columns: width });
  }
  return batches;
}

/** The values of `[lines, 3, height, columns]`. */
export function batchValues(lines: readonly LinePicture[], height: number, columns: number): Float32Array {
  const values = new Float32Array(lines.length * 3 * height * columns);
  lines.forEach((line, nth) => {
    for (let row = 0; row < 3 * height; row++)
      values.set(line.values.subarray(row * line.width, (row + 1) * line.width), (nth * 3 * height + row) * columns);
  });
  return values;
}
