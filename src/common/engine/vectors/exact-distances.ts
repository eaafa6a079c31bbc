import type { VectorSource } from './vector-source';

/** The number of exact vectors in memory at a time. */
const EXACT_ROWS = 2048;

/** Computes distances from the stored vectors, in the order of the ordinals; Infinity for a row without a vector. */
export async function exactDistances(
  source: VectorSource,
  query: Float32Array,
  ordinals: Int32Array,
): Promise<Float64Array> {
  const distances = new Float64Array(ordinals.length);
  for (let first = 0; first < ordinals.length; first += EXACT_ROWS) {
    const some = ordinals.slice(first, first + EXACT_ROWS);
    const vectors = await source.take(some);
    some.forEach((_, at) => {
      const distance = cosineDistance(query, vectors, at * source.dimension);
      distances[first + at] = Number.isNaN(distance) ? Infinity : distance;
    });
  }
  return distances;
}

/** The exact distance: computed in 64 bits from the stored numbers, 0..2; NaN if either vector is zero. */
export function cosineDistance(query: Float32Array, vectors: Float32Array, start: number): number {
  let dot = 0;
  let ours = 0;
  let theirs = 0;
  for (let at = 0; at < query.length; at++) {
    const a = query[at]!;
    const b = vectors[start + at]!;
    dot += a * b;
    ours += a * a;
    theirs += b * b;
  }
  return Math.min(2, Math.max(0, 1 - dot / Math.sqrt(ours * theirs)));
}
