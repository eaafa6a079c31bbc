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

/** The most ids of one request. */
export const MOST_LISTED = 100;

/** The details of several media, in the order of the ids; undefined for media that the state does not have. */
export const mediaListQuery = (
  datasetId: string,
  mediaIds: readonly string[],
  {
    snapshotId,
    withObjects = false,
    withText = false,
    withValues = false,
  }: {
    readonly snapshotId?: string | undefined;
    readonly withObjects?: boolean;
    readonly withText?: boolean;
    readonly withValues?: boolean;
  } = {},
) => ({
  queryKey: keys.of(datasetId, 'media', mediaIds, 'list', snapshotId, withObjects, withText, withValues),
  enabled: mediaIds.length > 0,
  queryFn: async () => {
    const params = {
      path: { dataset_id: datasetId },
      query: {
        media_ids: mediaIds.join(),
        with_objects: withObjects,
        with_text: withText,
        with_values: withValues,
        ...(snapshotId === undefined ? {} : { snapshot_id: snapshotId }),
      },
    };
    const { media } = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/media', { params }));
    const byId = new Map(media.map((each) => [each.media_id, each]));
    return mediaIds.map((id) => byId.get(id));
  },
});
