import type { components } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { keys } from '../../api/keys';
import { listFairly, type AskPage, type CutSource } from './fair-annotations';
import type { ShownAnnotation } from './shapes';

/** The most annotations that are asked for together. */
const MOST_ANNOTATIONS = 5_000;

export interface AnnotationList {
  readonly annotations: readonly ShownAnnotation[];
  /** Sources that say more than is listed. */
  readonly cut: readonly CutSource[];
}

/** What sources say about pictures, in the current state of their dataset or in that of a snapshot. */
export const annotationsQuery = (datasetId: string, mediaIds: readonly string[], snapshotId?: string) => ({
  queryKey: keys.of(datasetId, 'media', mediaIds, 'annotations', snapshotId ?? null),
  enabled: mediaIds.length > 0,
  queryFn: async (): Promise<AnnotationList> => {
    const state = snapshotId === undefined ? {} : { snapshot_id: snapshotId };
    const ask: AskPage = (asked) => {
      const params = { path: { dataset_id: datasetId }, query: { media_id: mediaIds.join(), ...state, ...asked } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/annotations', { params }));
    };
    const namesOfSources = async () => {
      const found = await Promise.all(mediaIds.map((mediaId) => sourcesOf(datasetId, mediaId, state)));
      return [...new Set(found.flat())].sort();
    };
    const { annotations, cut } = await listFairly(ask, namesOfSources, MOST_ANNOTATIONS);
    return { annotations: annotations.map(withKey), cut };
  },
});

export const withKey = <Each extends Pick<ShownAnnotation, 'media_id' | 'source' | 'id'>>(each: Each) => ({
  ...each,
  key: JSON.stringify([each.media_id, each.source, each.id]),
});

/** Those that say something about a picture. A snapshot may have sources that the dataset has no more. */
async function sourcesOf(datasetId: string, mediaId: string, state: { readonly snapshot_id?: string }) {
  const params = { path: { dataset_id: datasetId, media_id: mediaId }, query: { ...state, with_sources: true } };
  const { sources } = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/media/{media_id}', { params }));
  return Object.keys(sources ?? {});
}

/** The sources of a dataset, by name. */
export const sourcesQuery = (datasetId: string) => ({
  queryKey: keys.of(datasetId, 'annotation_sources'),
  queryFn: async () => {
    const params = { path: { dataset_id: datasetId } };
    const found = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/annotation_sources', { params }));
    return found.sources;
  },
});

/** The labels that the dataset wants, with their hot keys. */
export const labelSetQuery = (datasetId: string) => ({
  queryKey: keys.of(datasetId, 'label_set'),
  queryFn: () => {
    const params = { path: { dataset_id: datasetId } };
    return answered(service.api.GET('/api/v1/dataset/{dataset_id}/label_set', { params }));
  },
});

/** How many annotations a source has. */
export const annotationsIn = (source: components['schemas']['AnnotationSource']): number =>
  source.n_labels + source.n_boxes + source.n_polygons + source.n_masks + source.n_keypoints;

export const hasAnnotations = (source: components['schemas']['AnnotationSource']): boolean => annotationsIn(source) > 0;
