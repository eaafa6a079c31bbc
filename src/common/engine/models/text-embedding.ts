/** Turns texts into vectors of unit length. */
export interface TextEmbedding {
  readonly dimension: number;
  /** Null for a text without meaningful words, such as an empty one or only stop words and punctuation. */
  embed(texts: readonly string[]): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}
