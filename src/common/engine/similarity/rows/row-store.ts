import type { VectorTable } from '../vectors/vector-table';

/** Rows in a table; valid until other rows are loaded. */
export interface LoadedRows {
  readonly table: VectorTable;
  /** The place of each row in the table, -1 for rows that are not loaded; undefined if the place of each row is its number. */
  readonly place: Int32Array | undefined;
  /** The number of rows in the table. */
  readonly count: number;
}

/** Vectors by number, either all in memory or a limited number at a time. */
export interface RowStore {
  readonly count: number;
  readonly dimension: number;
  /** The number of rows that can be loaded at once. */
  readonly room: number;
  /** `rows` must be ascending. */
  load(rows: Int32Array): Promise<LoadedRows>;
  /** If not all rows are loaded, row `from` is the first in the table. */
  loadRange(from: number, to: number): Promise<LoadedRows>;
  /** Reads rows that will be loaded next, so that the operating system caches them. Never rejects. */
  expect(range: Range): Promise<void>;
}

/** Rows that are replaced by the sums of clusters. */
export interface SummedRows extends RowStore {
  /** Stores the current values of loaded rows, which must be ascending. */
  keep(rows: Int32Array): void;
}

export const placeIn = (place: Int32Array | undefined, row: number): number =>
  place === undefined ? row : place[row]!;

/** All rows in memory. */
export class HeldRows implements SummedRows {
  readonly room = Infinity;
  private readonly all: LoadedRows;

  constructor(
    readonly table: VectorTable,
    readonly count: number,
  ) {
    this.all = { table, place: undefined, count };
  }

  get dimension(): number {
    return this.table.dimension;
  }

  load(): Promise<LoadedRows> {
    return Promise.resolve(this.all);
  }

  loadRange(): Promise<LoadedRows> {
    return Promise.resolve(this.all);
  }

  expect(): Promise<void> {
    return Promise.resolve();
  }

  /** Nothing to do: the table is the storage. */
  keep(): void {}
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Yields consecutive ranges of at most `most` rows. */
export function* rangesOf(count: number, most: number): Generator<Range> {
  for (let from = 0; from < count; from += most) yield { from, to: Math.min(count, from + most) };
}

/** Prefetches the rows that will be loaded next while `work` runs. Returns after both have ended, even if the work fails. */
export async function readingAhead(store: RowStore, next: Range | undefined, work: Promise<void>): Promise<void> {
  const ahead = next && store.expect(next);
  try {
    await work;
  } finally {
    await ahead;
  }
}
