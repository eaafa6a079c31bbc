export interface VectorBatch {
  /** Ordinal of the first row. */
  readonly first: number;
  readonly count: number;
  /** One after the other; all zero where a row has none. */
  readonly vectors: Float32Array;
}

/** One column of vectors, as stored. */
export interface VectorSource {
  readonly rows: number;
  readonly dimension: number;
  batches(signal?: AbortSignal): AsyncGenerator<VectorBatch>;
  /** Row after row, in the order asked. */
  take(ordinals: Int32Array): Promise<Float32Array>;
}
