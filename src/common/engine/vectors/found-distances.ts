import type { OrdinalSet } from '../media-table/ordinal-set';

/** So many rows, one after the other, are a run. Blocks of a matrix are whole runs. */
export const RUN_ROWS = 32;

/** Up to this share of all rows, candidates are checked one by one. */
export const FEW = 1 / 8;

export const runsOf = (rows: number): number => Math.ceil(rows / RUN_ROWS);

/** What is known of the scores of many rows at once. */
export interface ScoresAtOnce {
  /** Of each run; no row of it has a lower score. */
  readonly leastOfRuns: Float32Array;
  /** The rows that have a score, if that is known. */
  readonly scored: OrdinalSet | undefined;
}

/** The distances of all rows from one query. */
export interface FoundDistances {
  /** Infinity for a row without a vector. */
  readonly distances: Float32Array;
  readonly atOnce?: ScoresAtOnce | undefined;
  /** The only rows that have a distance, ascending, where they are few. */
  readonly rows?: Int32Array;
  /** Takes the memory back; `rows` are those that have a distance by now. */
  readonly release: (rows?: Int32Array) => void;
}

/** All rows of the runs that may have a score up to a bound, if they are few. */
export function rowsOfRuns({ leastOfRuns }: ScoresAtOnce, rows: number, bound: number): Int32Array | undefined {
  let runs = 0;
  for (let run = 0; run < leastOfRuns.length; run++) if (leastOfRuns[run]! <= bound) runs++;
  if (runs * RUN_ROWS > FEW * rows) return undefined;
  const found = new Int32Array(runs * RUN_ROWS);
  let end = 0;
  for (let run = 0; run < leastOfRuns.length; run++) {
    if (leastOfRuns[run]! > bound) continue;
    const stop = Math.min(rows, (run + 1) * RUN_ROWS);
    for (let row = run * RUN_ROWS; row < stop; row++) found[end++] = row;
  }
  return found.subarray(0, end);
}
