import { tmpdir } from 'node:os';
import { structureOfVectors } from '../../test/support/structures';
import { placeNewItems } from '../../src/common/engine/similarity/placing/place-new-items';
import type { ClusterLevels, KnownItems } from '../../src/common/engine/similarity/placing/placement';
import type { SimilarityInput } from '../../src/common/engine/similarity/similarity-structure';
import { Random } from '../../test/support/random';

export interface PlacedPart {
  /** The clusters of all items, known and placed. */
  readonly clusters: readonly Int32Array[];
  readonly isPlaced: Uint8Array;
}

/** Indexes all items but a random part, and places that part afterwards. */
export async function placedPart(input: SimilarityInput, share: number, seed: number): Promise<PlacedPart> {
  const random = new Random(seed);
  const isPlaced = Uint8Array.from({ length: input.count }, () => (random.next() < share ? 1 : 0));
  const all = Array.from(isPlaced, (_, item) => item);
  const known = all.filter((item) => isPlaced[item] === 0);
  const added = all.filter((item) => isPlaced[item] === 1);
  const indexed = await structureOfVectors({ ...input, ...partOf(input, known) });
  const placed = await placeNewItems({
    known: knownItems(partOf(input, known), input.dimension, indexed.clusters),
    added: { ...partOf(input, added), knownCopy: new Int32Array(added.length).fill(-1) },
    ladder: input.ladder,
    threads: input.threads,
    scratch: tmpdir(),
  });
  const clusters = indexed.clusters.map((level, at) => {
    const whole = new Int32Array(input.count);
    known.forEach((item, i) => (whole[item] = level[i]!));
    added.forEach((item, i) => (whole[item] = placed.clusters[at]![i]!));
    return whole;
  });
  return { clusters, isPlaced };
}

type Part = Pick<SimilarityInput, 'count' | 'vectors' | 'contentGroup'>;

function partOf({ vectors, contentGroup, dimension }: SimilarityInput, items: readonly number[]): Part {
  const picked = new Float32Array(new SharedArrayBuffer(items.length * dimension * 4));
  items.forEach((item, at) => picked.set(vectors.subarray(item * dimension, (item + 1) * dimension), at * dimension));
  return {
    count: items.length,
    vectors: picked,
    contentGroup: Int32Array.from(items, (item) => contentGroup[item]!),
  };
}

const knownItems = ({ count, vectors }: Part, dimension: number, clusters: ClusterLevels): KnownItems => ({
  count,
  dimension,
  batches: async function* () {
    yield await Promise.resolve({ ordinals: Int32Array.from({ length: count }, (_, at) => at), vectors });
  },
  clusters,
  places: { x: new Float32Array(count), y: new Float32Array(count) },
  freeCluster: clusters.map((level) => level.reduce((most, cluster) => Math.max(most, cluster), -1) + 1),
  mostUnique: null,
  outlierDistance: null,
});
