import { answered, service } from '../api/client';
import { keys } from '../api/keys';

/** The details of a medium, in the current state of its dataset or in that of a snapshot. */
export const mediaQuery = (datasetId: string, mediaId: string, snapshotId?: string) => ({
  queryKey:
    snapshotId === undefined
      ? keys.of(datasetId, 'media', mediaId)
      : keys.of(datasetId, 'media', mediaId, 'snapshot', snapshotId),
  queryFn: () => {
    const params = {
      path: { dataset_id: datasetId, media_id: mediaId },
      query: snapshotId === undefined ? {} : { snapshot_id: snapshotId },
    };
    return answered(service.api.GET('/api/v1/dataset/{dataset_id}/media/{media_id}', { params }));
  },
});
