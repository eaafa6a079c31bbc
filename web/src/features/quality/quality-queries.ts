import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { VqlFilter } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { keys } from '../../api/keys';
import { acrossClusters } from '../../media/across-clusters';

export type Entity = 'IMAGES' | 'OBJECTS';

export const ISSUES = ['blur', 'dark', 'bright', 'outliers', 'duplicates', 'mislabels', 'class_outliers'] as const;
export type Issue = (typeof ISSUES)[number];

/** From here on a search finds an issue, unless it says otherwise. Copies have a likeness, which Duplicates begins with too. */
export function usualThreshold(issue: Issue): number {
  if (issue === 'duplicates') return 0.95;
  return issue === 'class_outliers' ? 1 : 0.5;
}

export const leastThreshold = (issue: Issue): number => (issue === 'duplicates' ? 0.8 : 0.05);

/** As the filters of Explore show it: a threshold that is usual is left out. */
export function issueFilter(issue: Issue, threshold: number, label?: string): VqlFilter[] {
  if (issue === 'duplicates') return [{ duplicates: { op: 'duplicates', value: threshold } }];
  const narrowed = threshold === usualThreshold(issue) ? {} : { threshold };
  return [
    { issues: { op: 'issue', value: [issue], ...narrowed } },
    ...(label === undefined ? [] : [{ labels: { op: 'one_of', value: [label] } } as VqlFilter]),
  ];
}

/** Explore with a filter, single media rather than families. */
export function exploreAddress(entity: Entity, filters: readonly VqlFilter[]): string {
  const params = new URLSearchParams({ level: '1', vql: JSON.stringify(filters) });
  if (entity !== 'IMAGES') params.set('type', entity);
  return `../explore?${params.toString()}`;
}

export const useFacets = (datasetId: string, entity: Entity, filters: readonly VqlFilter[] = []) => {
  const query = { entity_type: entity, ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }) };
  return useQuery({
    queryKey: keys.of(datasetId, 'facets', query),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/facets', { params }));
    },
    placeholderData: keepPreviousData,
  });
};

/** The groups that are not decided, as Duplicates counts them; null for anything but copies of images. */
export const useOpenCopies = (datasetId: string, entity: Entity, issue: Issue, threshold: number) => {
  const isReviewed = issue === 'duplicates' && entity === 'IMAGES';
  const query = { duplicate_threshold: String(threshold), rule: 'largest' as const };
  const { data } = useQuery({
    queryKey: keys.of(datasetId, 'duplicates', 'overview', query),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/duplicates/overview', { params }));
    },
    placeholderData: keepPreviousData,
    enabled: isReviewed,
  });
  if (!isReviewed || data === undefined) return null;
  const { total_groups: total, open_groups: open, kept, removed, doubtful } = data;
  return { total, open, media: kept + removed + doubtful.kept + doubtful.removed };
};

/** Some of the media with an issue, of as many clusters as there are. */
export const useExamples = (datasetId: string, entity: Entity, filters: readonly VqlFilter[], count: number) => {
  const query = { entity_type: entity, threshold: 1, vql: JSON.stringify(filters) };
  return useQuery({
    queryKey: keys.of(datasetId, 'explore', query, 0),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query: { ...query, page_number: 0 } };
      return answered(service.api.GET('/api/v1/explore/{dataset_id}', { params }));
    },
    select: ({ clusters }) => acrossClusters(clusters, count),
    placeholderData: keepPreviousData,
  });
};
