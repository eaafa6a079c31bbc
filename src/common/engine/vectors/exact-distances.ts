import { cosineDistance } from './cosine-distance';
import type { VectorSource } from './vector-source';

/** The number of exact vectors in memory at a time. */
const EXACT_ROWS = 2048;

/** Of the vectors as stored, in the order of the ordinals; Infinity for a row without a vector. */
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
