import type { Naming } from '../domain/embedding-upload';
import type { VectorBlock } from './vector-block';

/** The contents of a file of vectors. */
export interface NamedVectors {
  readonly naming: Naming;
  readonly dimension: number;
  /** How many rows the file says it has; some of a Parquet file may have no vector. */
  readonly rows: number;
  readonly blocks: () => AsyncGenerator<VectorBlock, undefined>;
}
