import type { OrdinalSet } from '../media-table/ordinal-set';

/** The number of consecutive rows in a run. Blocks of a matrix consist of whole runs. */
export const RUN_ROWS = 32;

/** Up to this share of all rows, candidates are checked one by one. */
export const FEW = 1 / 8;

export const runsOf = (rows: number): number => Math.ceil(rows / RUN_ROWS);

/** Summaries of the scores of many rows. */
export interface ScoresAtOnce {
  /** For each run, a lower bound of the scores of its rows. */
  readonly leastOfRuns: Float32Array;
  /** The rows with a score, if known. */
  readonly scored: OrdinalSet | undefined;
}

/** The distances of all rows from one query. */
export interface FoundDistances {
  /** Infinity for a row without a vector. */
  readonly distances: Float32Array;
  readonly atOnce?: ScoresAtOnce | undefined;
  /** The only rows with a distance, ascending, if they are few. */
  readonly rows?: Int32Array;
  /** Returns the memory; `rows` are the rows that have a distance by then. */
  readonly release: (rows?: Int32Array) => void;
}

/** All rows in runs that may have a score up to a bound, if they are few. */
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
