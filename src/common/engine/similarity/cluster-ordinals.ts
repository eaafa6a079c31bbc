import { sharedInt32 } from '../arithmetic/shared-arrays';

/** Ordinals without gaps from 0, by descending size, then by lowest member. `name` gives the cluster of each item. */
export function clusterOrdinals(count: number, name: (item: number) => number): Int32Array {
  const arrival = new Map<number, number>();
  const arrivals = sharedInt32(count);
  const sizes: number[] = [];
  for (let item = 0; item < count; item++) {
    const key = name(item);
    let cluster = arrival.get(key);
    if (cluster === undefined) {
      cluster = sizes.length;
      arrival.set(key, cluster);
      sizes.push(0);
    }
    sizes[cluster]! += 1;
    arrivals[item] = cluster;
  }
  // Clusters arrive in the order of their lowest members, and the sort is stable.
  const bySize = sizes.map((_, cluster) => cluster).sort((a, b) => sizes[b]! - sizes[a]!);
  const ordinal = new Int32Array(sizes.length);
  bySize.forEach((cluster, at) => (ordinal[cluster] = at));
  for (let item = 0; item < count; item++) arrivals[item] = ordinal[arrivals[item]!]!;
  return arrivals;
}
