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
  batches(signal?: AbortSignal): AsyncGenerator<VectorBatch>;
  /** Row by row, in the order requested. */
  take(ordinals: Int32Array): Promise<Float32Array>;
}
