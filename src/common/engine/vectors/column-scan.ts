import { CosineScan } from './cosine-scan';
import { exactDistances } from './exact-distances';
import { RUN_ROWS, runsOf } from './found-distances';
import { free } from './free';
import { queryDigits } from './query-digits';
import { VectorMatrix, type LoadOptions } from './vector-matrix';
import type { VectorSource } from './vector-source';

/**
 * Scans a column of vectors that exceeds the memory limit: some blocks at a time are read, compared with the query and released. Instead of the lower
 * plane of a matrix, the vectors in question are read again.
 */
export async function scanColumn(
  source: VectorSource,
  query: Float32Array,
  options: Omit<LoadOptions, 'like'> = {},
): Promise<CosineScan> {
  const { rows } = source;
  const digits = queryDigits(query);
  const distances = new Float32Array(rows);
  const errors = new Float32Array(rows);
  const leastOfRuns = new Float32Array(runsOf(rows));
  for await (const { first, matrix } of VectorMatrix.inPieces(source, options)) {
    const found = await matrix.upper(digits);
    distances.set(found.distances, first);
    leastOfRuns.set(found.atOnce!.leastOfRuns, first / RUN_ROWS);
    errors.set(matrix.rowErrors, first);
  }
  const parts = {
    source,
    query,
    lower: async (ordinals: Int32Array): Promise<Float32Array> => {
      const exact = await exactDistances(source, query, ordinals);
      return Float32Array.from(exact, (distance, at) => distance - distances[ordinals[at]!]!);
    },
    queryError: digits.error,
    errorOf: (ordinal: number): number => errors[ordinal]!,
    coarseError: errors.reduce((most, error) => Math.max(most, error), 0),
    fineError: 0,
  };
  return new CosineScan(parts, {
    distances,
    atOnce: { leastOfRuns, scored: undefined },
    release: () => free([distances.buffer]),
  });
}
