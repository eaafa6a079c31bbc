import type { Level } from '../../../common/media-table/media-row';
import { clusterId } from '../domain/cluster-id';
import type { EntityType } from '../domain/entity-type';
import type { LabelCount } from '../domain/label-index';
import type { FoundCluster, FoundClusters, Preview } from '../found-clusters';
import type { MediaUrls } from '../media-urls';
import type { ExploreResult } from './explore.schema';

interface Asked {
  readonly entityType: EntityType;
  readonly level: Level;
  readonly page: number;
}

type PresentedCluster = ExploreResult['clusters'][number];
type PresentedPreview = PresentedCluster['previews'][number];

const PREVIEW_TYPE = { IMAGES: 'IMAGE', OBJECTS: 'OBJECT', VIDEOS: 'VIDEO' } as const satisfies Record<
  EntityType,
  string
>;

export async function presentExplore(found: FoundClusters, asked: Asked, urls: MediaUrls): Promise<ExploreResult> {
  return {
    clusters: await Promise.all(
      found.clusters.map((cluster) => presentCluster(cluster, found.clusteringId, asked, urls)),
    ),
    metadata: { used_duckdb: false },
    total_pages: found.totalPages,
    current_page: asked.page,
  };
}

async function presentCluster(
  found: FoundCluster,
  clusteringId: string,
  asked: Asked,
  urls: MediaUrls,
): Promise<PresentedCluster> {
  const { entityType, level } = asked;
  const caption = found.shown[0]?.row.caption ?? null;
  return {
    cluster_id: clusterId(clusteringId, {
      entityType,
      level: entityType === 'VIDEOS' ? 0 : level,
      cluster: found.cluster,
    }),
    type: entityType,
    n_images: found.counts.IMAGE,
    n_objects: found.counts.OBJECT,
    n_videos: found.counts.VIDEO,
    n_frames: found.counts.FRAME,
    size_display_value: '0B',
    similarity_threshold: String(level),
    previews: await Promise.all(found.shown.map((preview) => presentPreview(preview, entityType, urls))),
    labels: presentLabels(found.labels),
    user_tags: null,
    captions: caption === null ? null : [caption],
    relevance_score: null,
    relevance_score_type: null,
    formed_by: 'SIMILARITY',
  };
}

async function presentPreview(
  { row, kind, labels, video }: Preview,
  entityType: EntityType,
  urls: MediaUrls,
): Promise<PresentedPreview> {
  const { original, thumbnail } = await urls.of(row);
  const videoUri = video === undefined ? '' : video === row ? original : (await urls.of(video)).original;
  const isObject = kind === 'OBJECT';
  return {
    type: PREVIEW_TYPE[entityType],
    media_id: row.id,
    media_uri: original,
    media_thumb_uri: thumbnail,
    caption: row.caption,
    image_id: isObject ? (row.parentId ?? row.id) : row.id,
    image_uri: original,
    bounding_box: row.box,
    file_name: row.fileName,
    original_uri: row.path,
    video_uri: videoUri,
    frame_timestamp: row.frameTimestamp,
    labels: presentLabels(labels.map((label) => ({ label, count: 1 }))),
    ...(isObject && labels[0] !== undefined ? { label: labels[0] } : {}),
    user_tags: null,
    relevance_score: null,
    relevance_score_type: null,
    width: row.width,
    height: row.height,
  };
}

const presentLabels = (labels: readonly LabelCount[]): Record<string, number> | null =>
  labels.length === 0 ? null : Object.fromEntries(labels.map(({ label, count }) => [label, count]));
