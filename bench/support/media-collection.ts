import type { Dimensions } from '../../src/common/engine/media-table/column-codec';
import { LEVELS, type MediaRow } from '../../src/common/engine/media-table/media-row';
import { collectionRow } from './collection-row';
import { Random } from '../../test/support/random';

const BATCH = 16_384;
const VECTOR_POOL = 4_096;

/** Sizes with a heavy tail: most are one or two, some are thousands. */
const paretoSize = (random: Random, exponent: number, largest: number): number =>
  Math.min(largest, Math.floor((1 - random.next()) ** (-1 / exponent)));

/** For each level, the cluster of each row. Each level joins adjacent clusters of the finer one. */
export function nestedClusters(rows: number, random: Random): Int32Array[] {
  let finer = Int32Array.from({ length: rows }, (_, i) => i);
  return LEVELS.map((level) => {
    const clusters = new Int32Array(rows);
    let cluster = -1;
    let until = 0;
    for (let row = 0; row < rows; row++) {
      if (finer[row]! >= until) {
        cluster++;
        until = finer[row]! + paretoSize(random, level === 0 ? 1.2 : 2, rows / 200);
      }
      clusters[row] = cluster;
    }
    finer = clusters;
    return clusters;
  });
}

function unitVectors(count: number, dimension: number, random: Random): Float32Array[] {
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimension }, () => random.next() - 0.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

/** A large collection as indexing would write it: sorted by cluster, with captions, three labels per row, and both embeddings. */
export function* mediaCollection(rows: number, dimensions: Dimensions): Generator<MediaRow[]> {
  const random = new Random(7);
  const clusters = nestedClusters(rows, random);
  const vectors = unitVectors(VECTOR_POOL, dimensions.embedding, random);
  const captionVectors = unitVectors(VECTOR_POOL, dimensions.captionEmbedding, new Random(8));
  for (let start = 0; start < rows; start += BATCH) {
    const count = Math.min(BATCH, rows - start);
    yield Array.from({ length: count }, (_, i) => {
      const row = start + i;
      return collectionRow(row, clusters, random, {
        caption: `a ${row % 7 === 0 ? 'brown dog' : 'red car'} in picture ${row}`,
        embedding: vectors[row % VECTOR_POOL]!,
        captionEmbedding: captionVectors[row % VECTOR_POOL]!,
      });
    });
  }
}
