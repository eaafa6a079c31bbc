import type { Pixels } from './pixels';
import { unitVector } from './unit-vector';

/** Turns pictures into vectors of unit length. */
export interface ImageEmbedding {
  readonly dimension: number;
  embed(pictures: readonly Pixels[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** The picture is at fault, not the model or the machine. */
export class NoEmbeddingError extends Error {}

/** Throws NoEmbeddingError if the model's vector of a picture has none. */
export function directionOf(vector: Float32Array): Float32Array {
  const direction = unitVector(vector);
  if (direction === null)
    throw new NoEmbeddingError('The model returned zeros or NaN for the picture, so it cannot be compared.');
  return direction;
}
