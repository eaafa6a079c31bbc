/** Predictions that count, and annotations of the truth that count. */
export interface Tally {
  readonly hits: number;
  readonly mistakes: number;
  readonly truth: number;
}

/** Null where nothing is divided. */
export interface Rates {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

export function ratesOf({ hits, mistakes, truth }: Tally): Rates {
  return {
    precision: share(hits, hits + mistakes),
    recall: share(hits, truth),
    f1: share(2 * hits, hits + mistakes + truth),
  };
}

export const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Of those that are defined; null if none is. */
export function meanOf(values: Iterable<number | null>): number | null {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (value === null) continue;
    sum += value;
    count++;
  }
  return share(sum, count);
}
