import { shownCaption } from '../../../../common/engine/media-table/media-row';
import { yieldTurn } from '../../../../common/platform/concurrency/in-slices';
import type { SearchQuery } from '../../query/domain/search-query';
import type { FoundCluster, FoundClusters, Preview } from '../found-clusters';
import type { Addresses, MediaUrls } from '../../media/signed-media-urls';
import { cardReader } from '../../../../common/engine/media-table/row-card';
import { withRows } from '../../media/read-previews';
import {
  cosineDistance,
  presentLabels,
  presentPreview,
  presentTags,
  rowsShown,
  type Relevance,
  type TagNames,
} from '../../media/http/preview.presenter';
import { presentApproximate } from '../../query/http/approximate';
import { presentUnderstood } from '../../query/http/understood';
import type { ExploreResult, PresentedCluster } from './search-result.schema';

/** Clusters presented before yielding: signing their URLs takes a few milliseconds. */
const CLUSTERS_A_TURN = 25;
const COMMA = Buffer.from(',');

export interface Asked {
  readonly query: Pick<SearchQuery, 'entityType' | 'level'>;
  readonly page: number;
}

/** Plain data, which can be sent to another thread. */
export interface FoundPage {
  readonly found: FoundClusters;
  readonly asked: Asked;
  readonly names: TagNames;
}

export async function presentExplore(page: FoundPage, urls: MediaUrls): Promise<Buffer> {
  return presentPage(page, [await presentClusters(page, urls)]);
}

/**
 * The clusters of a page, without brackets. Serialises a few at a time: otherwise the objects of hundreds of previews per client would live until the
 * whole response is written, which slows down garbage collection.
 */
export async function presentClusters({ found, asked, names }: FoundPage, urls: MediaUrls): Promise<Buffer> {
  const parts: Buffer[] = [];
  const rowOf = cardReader(found.cards);
  for (let first = 0; first < found.clusters.length; first += CLUSTERS_A_TURN) {
    if (first > 0) {
      await yieldTurn();
      parts.push(COMMA);
    }
    const some = found.clusters.slice(first, first + CLUSTERS_A_TURN);
    const previews = some.map((cluster) => cluster.previews.map((preview) => withRows(preview, rowOf)));
    const addresses = await urls.of(rowsShown(previews.flat()));
    const presented = some.map((cluster, at) => presentCluster(cluster, previews[at]!, found, asked, addresses, names));
    parts.push(Buffer.from(JSON.stringify(presented)).subarray(1, -1));
  }
  return Buffer.concat(parts);
}

/** A page whose clusters are serialised in several parts. */
export function presentPage({ found, asked }: FoundPage, clusters: readonly Uint8Array[]): Buffer {
  const rest: Omit<ExploreResult, 'clusters'> = {
    metadata: { used_duckdb: false },
    total_pages: found.totalPages,
    current_page: asked.page,
    ...(found.partial === undefined ? {} : { partial: found.partial }),
    ...presentUnderstood(found.understood),
    ...presentApproximate(found.recall),
  };
  const parts = clusters.flatMap((bytes, at) => (at === 0 ? [bytes] : [COMMA, bytes]));
  return Buffer.concat([Buffer.from('{"clusters":['), ...parts, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)]);
}

function presentCluster(
  cluster: FoundCluster,
  previews: readonly Preview[],
  found: FoundClusters,
  { query }: Asked,
  addresses: Addresses,
  names: TagNames,
): PresentedCluster {
  const { counts } = cluster;
  const relevance = relevanceOf(cluster.score, found);
  const first = previews[0];
  const caption = first === undefined ? null : shownCaption(first.row);
  return {
    cluster_id: cluster.id,
    type: query.entityType,
    n_images: counts.IMAGE,
    n_objects: counts.OBJECT,
    n_videos: counts.VIDEO,
    n_frames: counts.FRAME,
    size_display_value: '0B',
    similarity_threshold: String(query.level),
    previews: previews.map((preview) => presentPreview(preview, relevanceOf(preview.score, found), addresses, names)),
    labels: presentLabels(cluster.labels),
    user_tags: presentTags(cluster.tags, names),
    captions: caption === null ? null : [caption],
    ...relevance,
    relevance_score: relevance.relevance_score ?? null,
    formed_by: found.formedBy,
    ...(cluster.doubt === undefined ? {} : { doubt: cluster.doubt }),
  };
}

/** Groups of near duplicates have no score. */
function relevanceOf(score: number | null, { scored, formedBy }: FoundClusters): Relevance {
  if (formedBy === 'DUPLICATES') return {};
  return cosineDistance(scored === 'cosine_distance' ? score : null);
}
