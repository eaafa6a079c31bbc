import type { Pixels } from './picture-model';

/** Converts texts to unit vectors. */
export interface TextEmbedding {
  readonly dimension: number;
  /** Null for a text without meaningful words, such as an empty one or only stop words and punctuation. */
  embed(texts: readonly string[]): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
}

/** Converts pictures to unit vectors. */
export interface ImageEmbedding {
  readonly dimension: number;
  embed(pictures: readonly Pixels[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** The picture is the cause, not the model or the machine. */
export class NoEmbeddingError extends Error {}

/** Throws NoEmbeddingError if the vector of a picture has no direction. */
export function directionOf(vector: Float32Array): Float32Array {
  const direction = unitVector(vector);
  if (direction === null)
    throw new NoEmbeddingError('The model returned zeros or NaN for the picture, so it cannot be compared.');
  return direction;
}

/** Null for a vector without a direction: all zeros, or not all finite. */
export function unitVector(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}
