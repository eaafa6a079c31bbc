import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { parseClusterId, type Clusterings } from './domain/cluster-id';
import type { ExploreIndex } from './domain/explore-index';

/** The members of clusters of a version. Ids of other clusterings, and of groups of near duplicates, have none. */
export async function rowsInClusters(
  clusterings: Clusterings,
  index: Pick<ExploreIndex, 'rows' | 'membersOf'>,
  ids: readonly string[],
): Promise<OrdinalSet> {
  const found = OrdinalSet.none(index.rows);
  for (const id of new Set(ids)) {
    const ref = parseClusterId(clusterings, id);
    if (ref === undefined || 'similarity' in ref) continue;
    for (const row of await index.membersOf(ref.entityType, ref.level, ref.cluster)) found.add(row);
  }
  return found;
}
