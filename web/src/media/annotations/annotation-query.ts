import type { components } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { keys } from '../../api/keys';
import type { ShownAnnotation } from './shapes';

/** The most annotations of one picture that are shown. */
const MOST_ANNOTATIONS = 5_000;
const PER_PAGE = 1_000;

/** What sources say about a picture, in the current state of its dataset or in that of a snapshot. */
export const annotationsQuery = (datasetId: string, mediaId: string, snapshotId?: string) => ({
  queryKey: keys.of(datasetId, 'media', mediaId, 'annotations', snapshotId ?? null),
  queryFn: async () => {
    const annotations: ShownAnnotation[] = [];
    for (let cursor: string | undefined; ;) {
      const params = {
        path: { dataset_id: datasetId },
        query: {
          media_id: mediaId,
          limit: PER_PAGE,
          ...(snapshotId === undefined ? {} : { snapshot_id: snapshotId }),
          ...(cursor === undefined ? {} : { cursor }),
        },
      };
      const page = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/annotations', { params }));
      for (const each of page.annotations)
        annotations.push({ ...each, key: JSON.stringify([mediaId, each.source, each.id]) });
      cursor = page.next_cursor ?? undefined;
      if (cursor === undefined || annotations.length >= MOST_ANNOTATIONS) return { annotations, total: page.total };
    }
  },
});

/** The sources of a dataset, by name. */
export const sourcesQuery = (datasetId: string) => ({
  queryKey: keys.of(datasetId, 'annotation_sources'),
  queryFn: async () => {
    const params = { path: { dataset_id: datasetId } };
    const found = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/annotation_sources', { params }));
    return found.sources;
  },
});

/** How many annotations a source has. */
export const annotationsIn = (source: components['schemas']['AnnotationSource']): number =>
  source.n_labels + source.n_boxes + source.n_polygons + source.n_masks + source.n_keypoints;
