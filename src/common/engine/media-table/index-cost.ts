/** Microseconds of one processor, for each row. */
export interface IndexCost {
  /** To make the index. */
  readonly make: number;
  /** The additional time of a search for each row that the index lacks. */
  readonly scan: number;
}

export interface IndexCoverage {
  /** All rows of the table. */
  readonly rows: number;
  /** Those appended since the index was made. */
  readonly missing: number;
}

/** Measured with 50,000 to 220,000 rows and captions of some ten words. */
export const CAPTION_INDEX_COST: IndexCost = { make: 8, scan: 4 };
export const SCALAR_INDEX_COST: IndexCost = { make: 0.5, scan: 0.17 };

/** An index is rebuilt when this many searches would take as long to scan the rows that it lacks. */
const SEARCHES = 100;
/** For the files and the version of an index, however small. */
const LEAST_MICROSECONDS = 50_000;

export const isWorthMaking = ({ rows, missing }: IndexCoverage, { make, scan }: IndexCost): boolean =>
  missing * scan * SEARCHES >= LEAST_MICROSECONDS + rows * make;
