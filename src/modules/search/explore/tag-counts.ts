import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { KINDS_OF, kindSet, type ClusterPage, type EntityType, type TagAssignments } from '../../versions';

export interface TagCount {
  readonly id: string;
  readonly count: number;
}

/** Counts the matching members with each tag, for the clusters of a page. Visits tagged rows only. */
export function countTags(
  page: ClusterPage,
  tags: TagAssignments,
  of: { readonly entityType: EntityType; readonly kinds: Int8Array; readonly matches: OrdinalSet | undefined },
): Map<number, TagCount[]> {
  const counts = new Map(page.clusters.map(({ cluster }) => [cluster, [] as TagCount[]]));
  const set = kindSet(KINDS_OF[of.entityType]);
  for (const id of [...tags.tagIds].sort()) {
    const perCluster = new Map<number, number>();
    for (const row of tags.with(id)) {
      const cluster = page.clusterOf[row]!;
      const isMember = ((set >> of.kinds[row]!) & 1) === 1 && (of.matches?.has(row) ?? true);
      if (isMember && counts.has(cluster)) perCluster.set(cluster, (perCluster.get(cluster) ?? 0) + 1);
    }
    for (const [cluster, count] of perCluster) counts.get(cluster)!.push({ id, count });
  }
  return counts;
}
