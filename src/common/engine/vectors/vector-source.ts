export interface VectorBatch {
  /** The ordinal of the first row. */
  readonly first: number;
  readonly count: number;
  /** One after the other; all zeros for a row without a vector. */
  readonly vectors: Float32Array;
}

/** A vector column as stored. */
export interface VectorSource {
  readonly rows: number;
  readonly dimension: number;
  /** Sources of one series have the same rows, as far as the shorter one reaches. */
  readonly series?: string;
  /** From row `from` on. */
  batches(signal?: AbortSignal, from?: number): AsyncGenerator<VectorBatch>;
  /** Row by row, in the order requested. */
  take(ordinals: Int32Array): Promise<Float32Array>;
}
