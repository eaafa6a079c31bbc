import { Inject, Injectable } from '@nestjs/common';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { DatasetPointer } from '../../datasets';
import { membersOf } from '../explore/cluster-members.service';
import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import {
  findOrdinals,
  ordinalsById,
  parseClusterId,
  VersionOpener,
  type ClusterRef,
  type EntityType,
  type OpenedVersion,
} from '../../versions';
import { SearchEngine } from '../query/search-engine';
import {
  type ClusterItem,
  type MediaSelection,
  EmptySelectionError,
  SelectedClusterNotFoundError,
  SelectedMediaNotFoundError,
  TooManySimilaritiesError,
} from './selection-errors';

/** Limited, because groups of near duplicates are computed for each similarity. */
const MOST_SIMILARITIES = 10;

/** Resolves a selection to rows of a table version. */
@Injectable()
export class SelectionResolver {
  constructor(
    @Inject(VersionOpener) private readonly versions: Pick<VersionOpener, 'open'>,
    @Inject(SearchEngine) private readonly engine: Pick<SearchEngine, 'matching'>,
  ) {}

  async resolve(datasetId: string, pointer: DatasetPointer, selection: MediaSelection): Promise<OrdinalSet> {
    const mediaIds = selection.flatMap((item) => (item.kind === 'media' ? [item.mediaIds] : [])).flat();
    const clusters = selection.filter((item) => item.kind === 'cluster');
    if (mediaIds.length === 0 && clusters.length === 0) throw new EmptySelectionError();
    using version = await this.versions.open(pointer);
    const { rows, unknown } = await findOrdinals(version.table, mediaIds);
    if (unknown !== undefined) throw new SelectedMediaNotFoundError(unknown);
    await this.addRows(rows, clusters, datasetId, version);
    return rows;
  }

  /** Evaluates each filter once for all clusters with it, and scans each cluster once per filter. */
  private async addRows(
    rows: OrdinalSet,
    clusters: readonly ClusterItem[],
    datasetId: string,
    version: OpenedVersion,
  ): Promise<void> {
    const refs = refsOf(clusters, version.pointer);
    const ids = clusters.flatMap(({ excludedMediaIds }) => excludedMediaIds);
    const excluded = await ordinalsById(version.table, ids);
    for (const [query, ofQuery] of groupedBy(clusters, (cluster) => cluster.query)) {
      const matches = new Map<EntityType, OrdinalSet | undefined>();
      for (const [clusterId, same] of groupedBy(ofQuery, (cluster) => cluster.clusterId)) {
        const ref = refs.get(clusterId)!;
        const { entityType } = ref;
        const members = await membersOf(version, ref);
        if (members.length === 0) throw new SelectedClusterNotFoundError(clusterId);
        // The entity type is that of the cluster, not of the filters.
        if (query !== undefined && !matches.has(entityType))
          matches.set(entityType, await this.engine.matching(datasetId, version, { ...query, entityType }));
        const found = entitiesOf(version, ref, members, matches.get(entityType));
        const left = excludedByAll(same, excluded);
        for (const row of found) if (!left.has(row)) rows.add(row);
        await yieldTurn();
      }
    }
  }
}

/** The positions of the clusters in this version. */
function refsOf(clusters: readonly ClusterItem[], pointer: DatasetPointer): ReadonlyMap<string, ClusterRef> {
  const refs = new Map<string, ClusterRef>();
  const similarities = new Set<number>();
  for (const { clusterId } of clusters) {
    const ref = parseClusterId(pointer, clusterId);
    if (ref === undefined) throw new SelectedClusterNotFoundError(clusterId);
    refs.set(clusterId, ref);
    if ('similarity' in ref) similarities.add(ref.similarity);
  }
  if (similarities.size > MOST_SIMILARITIES) throw new TooManySimilaritiesError(similarities.size, MOST_SIMILARITIES);
  return refs;
}

/** The matching members. A video is included if one of its frames matches. */
function entitiesOf(
  { index }: OpenedVersion,
  { entityType }: ClusterRef,
  members: Int32Array,
  matches: OrdinalSet | undefined,
): Int32Array {
  const found = matches === undefined ? members : members.filter((row) => matches.has(row));
  return entityType !== 'VIDEOS' || found.length === 0 ? found : Int32Array.of(index.videoRowOf(found[0]!)!);
}

/** Media that are excluded by every item with their cluster. A medium is selected if at least one item includes it. Unknown ids are ignored. */
function excludedByAll(items: readonly ClusterItem[], ordinals: ReadonlyMap<string, number>): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { excludedMediaIds } of items)
    for (const ordinal of new Set(excludedMediaIds.flatMap((id) => ordinals.get(id) ?? [])))
      counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
  return new Set([...counts].flatMap(([ordinal, count]) => (count === items.length ? [ordinal] : [])));
}

function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
