/** Turns texts into vectors of unit length. */
export interface TextEmbedding {
  readonly dimension: number;
  /** Null for a text that says nothing: it is empty, or holds stop words and signs only. */
  embed(texts: readonly string[]): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}
