import type { QuantisedColumn } from './quantised-files';

export interface VectorBatch {
  /** The ordinal of the first row. */
  readonly first: number;
  readonly count: number;
  /** One after the other; all zeros for a row without a vector. */
  readonly vectors: Float32Array;
}

/** Sources that begin with the same rows: versions of one table. They may go on differently, as after restoring a snapshot. */
export interface VectorSeries {
  readonly name: string;
  /** Where it is equal for two sources of the series, their first `count` rows are the same. */
  nameOfRows(count: number): Promise<string>;
}

/** A vector column as stored. */
export interface VectorSource {
  readonly rows: number;
  readonly dimension: number;
  readonly series?: VectorSeries;
  /** Whole blocks of its rows, where there may be such files. */
  readonly files?: QuantisedColumn | undefined;
  /** From row `from` on. */
  batches(signal?: AbortSignal, from?: number): AsyncGenerator<VectorBatch>;
  /** Row by row, in the order requested. */
  take(ordinals: Int32Array): Promise<Float32Array>;
}
