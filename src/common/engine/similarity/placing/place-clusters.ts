import type { FoundNeighbours } from './found-neighbours';
import type { ClusterLevels, Ladder } from './placement';

/** One above the coarsest level: a new item that is near no known item. */
const NO_LEVEL = 5;
/** New items clustered with items of a known cluster join it if at least this share of their group is in it. */
const LEADING_SHARE = 1 / 4;

/** For each new item, the finest level at which it joins the clusters of a known item, and that item's ordinal. */
interface Joins {
  readonly level: Int32Array;
  readonly ordinal: Int32Array;
}

/**
 * From the finest level at which a new item is near enough to a known item, it belongs to that item's clusters. At finer levels it shares clusters
 * with the new items of its group that have the same parent, so that clusters stay nested.
 */
export function placeClusters(found: FoundNeighbours, ladder: Ladder): ClusterLevels {
  const { known, fresh, structure } = found;
  const joins = joinNearest(found, ladder);
  for (let level = 0; level < ladder.length; level++) followGroup(found, joins, level);
  const clusters = ladder.map(() => new Int32Array(fresh.added.count));
  for (let level = ladder.length - 1; level >= 0; level--) {
    const made = new Map<number, number>();
    for (let item = 0; item < fresh.added.count; item++) {
      if (level >= joins.level[item]!) {
        clusters[level]![item] = known.clusters[level]![joins.ordinal[item]!]!;
        continue;
      }
      const parent = level + 1 < ladder.length ? clusters[level + 1]![item]! : 0;
      const key = parent * fresh.added.count + structure.clusters[level]![fresh.number[item]!]!;
      const cluster = made.get(key) ?? known.freeCluster[level]! + made.size;
      made.set(key, cluster);
      clusters[level]![item] = cluster;
    }
  }
  return clusters as unknown as ClusterLevels;
}

function joinNearest(found: FoundNeighbours, ladder: Ladder): Joins {
  const { fresh, neighbours } = found;
  const joins = { level: new Int32Array(fresh.added.count), ordinal: Int32Array.from(fresh.twin) };
  for (const item of fresh.item) {
    const row = fresh.row(item);
    const level = ladder.findIndex((cut, at) => nearness(found, row, at) >= cut);
    joins.level[item] = level === -1 ? NO_LEVEL : level;
    joins.ordinal[item] = neighbours.nearest.keys[row * neighbours.nearest.length]!;
  }
  return joins;
}

/** The mean of the cosines to the nearest known item and to the next nearest in the same cluster, since a single item may be at the cluster's edge. */
function nearness({ known, neighbours }: FoundNeighbours, row: number, level: number): number {
  const { keys, scores, length } = neighbours.nearest;
  const clusters = known.clusters[level]!;
  const first = row * length;
  for (let at = first + 1; at < first + length && keys[at] !== -1; at++) {
    if (clusters[keys[at]!] === clusters[keys[first]!]) return (scores[first]! + scores[at]!) / 2;
  }
  return scores[first]!;
}

/** Items clustered with new items that are in a known cluster join it too, unless those are too small a share of the group. */
function followGroup({ known, fresh, structure }: FoundNeighbours, joins: Joins, level: number): void {
  const groups = new Map<number, number[]>();
  fresh.item.forEach((item, number) => {
    const group = structure.clusters[level]![number]!;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [item]);
    else members.push(item);
  });
  for (const members of groups.values()) {
    const joined = members.filter((item) => joins.level[item]! <= level);
    if (joined.length === 0 || joined.length === members.length) continue;
    const { ordinal, count } = mostCommonCluster(joined, joins.ordinal, known.clusters[level]!);
    if (count < members.length * LEADING_SHARE) continue;
    for (const item of members) {
      if (joins.level[item]! <= level) continue;
      joins.level[item] = level;
      joins.ordinal[item] = ordinal;
    }
  }
}

/** The cluster of most of the items, the lowest if equal, given by one of its known items. */
function mostCommonCluster(
  items: readonly number[],
  ordinals: Int32Array,
  clusters: Int32Array,
): { ordinal: number; count: number } {
  const counts = new Map<number, number>();
  let best = { ordinal: -1, count: 0 };
  for (const item of items) {
    const ordinal = ordinals[item]!;
    const cluster = clusters[ordinal]!;
    const count = (counts.get(cluster) ?? 0) + 1;
    counts.set(cluster, count);
    if (count > best.count || (count === best.count && cluster < clusters[best.ordinal]!)) best = { ordinal, count };
  }
  return best;
}
