import { Injectable } from '@nestjs/common';
import type { DatasetPointer } from '../../datasets';
import { NO_CARDS } from '../../../common/engine/media-table/row-card';
import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import { clusterId, CLUSTERS_PER_PAGE, VersionOpener, type PublishedState } from '../../versions';
import type { SearchQuery } from '../query/domain/search-query';
import { ExploreAnswerCache } from './explore-answer-cache';
import type { FoundClusters } from './found-clusters';
import { readCardPreviews } from '../media/read-previews';
import { SearchEngine, type Found } from '../query/search-engine';
import { assertSearchable } from '../query/searchable';
import { countTags } from './tag-counts';

/** With `allow_partial`: how long to wait for all vectors. */
const PATIENCE_MS = 300;

export interface ExploreOptions {
  /** Whether a ranking may use the vectors that are loaded so far. */
  readonly allowPartial?: boolean | undefined;
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

  /** Empty until the first table is published. The published version is served until the next one is. */
  async search(
    { datasetId, pointer, status }: PublishedState,
    query: SearchQuery,
    page: number,
    { allowPartial = false }: ExploreOptions = {},
  ): Promise<FoundClusters> {
    assertSearchable(query, status);
    if (pointer === null) return NOTHING;
    const find = (patienceMs?: number): Promise<FoundClusters> =>
      this.find(datasetId, pointer, query, page, patienceMs);
    const patienceMs = allowPartial ? PATIENCE_MS : undefined;
    // Do not cache searches by uploaded anchors, which expire; all else depends on the immutable version only.
    if (query.ranking?.kind === 'anchor' && query.ranking.anchorType === 'UPLOAD') return find(patienceMs);
    const { generation, version, tagsFile } = pointer;
    const key = JSON.stringify([generation, version, tagsFile, query, page]);
    if (patienceMs === undefined) return this.answers.getOrLoad(key, () => find());
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const found = await find(patienceMs);
    if (found.partial === undefined) this.answers.set(key, found);
    return found;
  }

  private async find(
    datasetId: string,
    pointer: DatasetPointer,
    query: SearchQuery,
    page: number,
    patienceMs: number | undefined,
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
    const { previews, cards } = await readCardPreviews(version, places);
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
    };
  }
}

function idOf(cluster: number, { groups }: Found, pointer: DatasetPointer, query: SearchQuery): string {
  const { entityType, level, duplicates } = query;
  if (groups !== undefined && duplicates !== undefined)
    return clusterId(pointer, { entityType, similarity: duplicates, centre: groups.centre[cluster]! });
  return clusterId(pointer, { entityType, level: entityType === 'VIDEOS' ? 0 : level, cluster });
}
