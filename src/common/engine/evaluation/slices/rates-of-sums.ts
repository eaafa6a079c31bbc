import { FOUND, PREDICTIONS, TRUTH } from './slice-units';

/** Of an evaluation whose columns begin at `first`. */
type Rate = (sums: Float64Array, first: number) => number;

export const precisionOf: Rate = (sums, first) => sums[first + FOUND]! / sums[first + PREDICTIONS]!;
export const recallOf: Rate = (sums, first) => sums[first + FOUND]! / sums[first + TRUTH]!;
export const f1Of: Rate = (sums, first) =>
  (2 * sums[first + FOUND]!) / (sums[first + TRUTH]! + sums[first + PREDICTIONS]!);
