import { formatTimestamp } from '../../../common/platform/http/query-values';
import type { Dataset } from '../../datasets';
import type { Snapshot } from '../domain/snapshot';
import type { SnapshotResponse } from './snapshot.schemas';

export const presentSnapshot = (
  snapshot: Snapshot,
  dataset: Pick<Dataset, 'displayName' | 'currentSnapshotId'>,
  restoring: string | undefined,
): SnapshotResponse => ({
  snapshot_id: snapshot.id,
  snapshot_name: snapshot.name,
  source_dataset_name: dataset.displayName,
  created_at: formatTimestamp(snapshot.createdAt),
  created_by: snapshot.createdBy,
  n_images: snapshot.counts.images,
  n_videos: snapshot.counts.videos,
  description: snapshot.description,
  reason: snapshot.reason,
  training_model_id: null,
  training_model_name: null,
  is_current: snapshot.id === dataset.currentSnapshotId,
  is_restoring: snapshot.id === restoring,
});
