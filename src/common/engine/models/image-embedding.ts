import type { Pixels } from './pixels';

/** Turns pictures into vectors of unit length. */
export interface ImageEmbedding {
  readonly dimension: number;
  embed(pictures: readonly Pixels[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** The picture is at fault, not the model or the machine. */
export class NoEmbeddingError extends Error {}
