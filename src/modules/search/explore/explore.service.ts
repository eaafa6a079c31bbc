import { Injectable } from '@nestjs/common';
import { placeOf, type DatasetPointer } from '../../datasets';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { BoundedCache } from '../../../common/platform/cache/bounded-cache';
import { NO_CARDS } from '../../../common/engine/media-table/row-card';
import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import {
  clusterId,
  CLUSTERS_PER_PAGE,
  KINDS_OF,
  kindSet,
  VersionOpener,
  type ClusterPage,
  type EntityType,
  type PublishedState,
  type TagAssignments,
} from '../../versions';
import type { SearchQuery } from '../query/domain/search-query';
import type { FoundClusters, TagCount } from './found-clusters';
import { readCardPreviews } from '../media/read-previews';
import { matchedPlaces } from '../query/matched-places';
import { assertSearchable, SearchEngine, type Found } from '../query/search-engine';

/** The estimated size of a page, and of each of its previews. */
const PAGE_BYTES = 1000;
const PREVIEW_BYTES = 200;

/** LRU cache of results. A table version is immutable, so its results go stale only with the hierarchy of labels. */
export class ExploreAnswerCache extends BoundedCache<FoundClusters> {
  constructor(budgetBytes: number) {
    super(budgetBytes, ({ cards: { bytes, bounds } }) => PAGE_BYTES + PREVIEW_BYTES * bounds.length + bytes.byteLength);
  }
}

/** With `allow_partial`: how long to wait for all vectors. */
const PATIENCE_MS = 300;

export interface ExploreOptions {
  /** Whether a ranking may use the vectors that are loaded so far. */
  readonly allowPartial?: boolean | undefined;
  /** Whether previews tell what each source says. */
  readonly withSources?: boolean | undefined;
}

const NOTHING: FoundClusters = {
  cards: NO_CARDS,
  totalPages: 0,
  scored: undefined,
  formedBy: 'SIMILARITY',
  clusters: [],
};

@Injectable()
export class ExploreService {
  constructor(
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
    private readonly answers: ExploreAnswerCache,
  ) {}

  /** Empty until the first table is published. While a new version is prepared, the published one is served. */
  async search(
    { datasetId, pointer, status }: PublishedState,
    asked: SearchQuery,
    page: number,
    { allowPartial = false, withSources = false }: ExploreOptions = {},
  ): Promise<FoundClusters> {
    assertSearchable(asked, status);
    if (pointer === null) return NOTHING;
    const query = await this.engine.withEvaluations(datasetId, asked);
    const find = (patienceMs?: number): Promise<FoundClusters> =>
      this.find({ datasetId, pointer }, query, page, { patienceMs, withSources });
    const patienceMs = allowPartial ? PATIENCE_MS : undefined;
    // Searches by uploaded anchors are not cached, because anchors expire; all others depend on what is in the key.
    if (withSources || (query.ranking?.kind === 'anchor' && query.ranking.anchorType === 'UPLOAD'))
      return find(patienceMs);
    const key = JSON.stringify([...placeOf(pointer), this.engine.labelHierarchy.revision, query, page]);
    if (patienceMs === undefined) return this.answers.getOrLoad(key, () => find());
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const found = await find(patienceMs);
    if (found.partial === undefined) this.answers.set(key, found);
    return found;
  }

  private async find(
    { datasetId, pointer }: { readonly datasetId: string; readonly pointer: DatasetPointer },
    query: SearchQuery,
    page: number,
    { patienceMs, withSources }: { readonly patienceMs: number | undefined; readonly withSources: boolean },
  ): Promise<FoundClusters> {
    using version = await this.versions.openToBrowse(pointer);
    const found = await this.engine.page(datasetId, version, query, page, patienceMs);
    const { scored, groups, searchedRows, recall } = found;
    const tags = await version.tags();
    const tagCounts = countTags(found.page, tags, {
      entityType: query.entityType,
      kinds: version.index.kinds,
      matches: found.matches,
    });
    await yieldTurn();
    const places = found.page.clusters.map(({ previews }) => previews);
    const shown = places.flatMap((list) => list.map(({ ordinal }) => ordinal));
    const matched = await matchedPlaces(version, query.filters, shown);
    const { previews, cards } = await readCardPreviews(version, places, { matched, withSources });
    version.prepareVectors();
    return {
      cards,
      totalPages: Math.ceil(found.page.totalClusters / CLUSTERS_PER_PAGE),
      scored,
      formedBy: groups === undefined ? 'SIMILARITY' : 'DUPLICATES',
      clusters: found.page.clusters.map(({ cluster, counts, labels, score }, i) => ({
        id: idOf(cluster, found, pointer, query),
        cluster,
        counts,
        labels,
        score,
        tags: tagCounts.get(cluster)!,
        previews: previews[i]!,
        doubt: groups?.doubt(cluster),
      })),
      partial: searchedRows === undefined ? undefined : { searched: searchedRows, total: version.rows },
      recall,
      understood: version.understood,
    };
  }
}

function idOf(cluster: number, { groups }: Found, pointer: DatasetPointer, query: SearchQuery): string {
  const { entityType, level, duplicates } = query;
  if (groups !== undefined && duplicates !== undefined)
    return clusterId(pointer, { entityType, similarity: duplicates, centre: groups.centre[cluster]! });
  return clusterId(pointer, { entityType, level: entityType === 'VIDEOS' ? 0 : level, cluster });
}

/** Counts the matching members with each tag, for the clusters of a page. Visits tagged rows only. */
function countTags(
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
