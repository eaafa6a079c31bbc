import type { VectorSource } from '../../src/common/engine/vectors/vector-source';

/** Simulates a source that is still being read: only the beginning of the first batch is available. */
export const firstRows = (source: VectorSource, rows: number): VectorSource => ({
  rows,
  dimension: source.dimension,
  async *batches(signal) {
    for await (const { vectors } of source.batches(signal))
      yield { first: 0, count: rows, vectors: vectors.subarray(0, rows * source.dimension) };
  },
  take: (ordinals) => source.take(ordinals),
});
