import { formatTimestamp, formatTimestampOrNull } from '../../../common/platform/http/query-values';
import type { SavedView } from '../domain/saved-view';
import type { Trend } from '../view.reader';
import type { TrendResponse, ViewResponse } from './view.schemas';

export function presentView(view: SavedView, canChange: boolean): ViewResponse {
  const { createdBy, search, stats } = view;
  return {
    id: view.id,
    dataset_id: view.datasetId,
    name: view.name,
    created_at: formatTimestamp(view.createdAt),
    created_by: { user_id: createdBy.userId, email: createdBy.email, name: createdBy.name },
    filters: {
      entity_type: search.entityType,
      threshold: search.threshold,
      caption: search.caption,
      vql: [...search.vql],
    },
    stats: { n_images: stats.images, n_objects: stats.objects, n_video_frames: stats.frames },
    monitoring_enabled: view.monitoringEnabled,
    monitoring_started_at: formatTimestamp(view.createdAt),
    alerting_enabled: view.alertingEnabled,
    total_results: view.totalResults,
    last_results: formatTimestampOrNull(view.lastResults),
    evaluation_error: view.evaluationError,
    can_change: canChange,
  };
}

export const presentTrend = ({ view, points }: Trend): TrendResponse => ({
  points: points.map(({ timestamp, batchId, count, cumulative }) => ({
    timestamp: formatTimestamp(timestamp),
    batch_id: batchId,
    count,
    cumulative,
  })),
  total_results: view.totalResults,
  last_results: formatTimestampOrNull(view.lastResults),
});
