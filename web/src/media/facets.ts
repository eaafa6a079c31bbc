import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answered, service } from '../api/client';
import { keys } from '../api/keys';
import { queryOf, type ExploreState } from './explore-address';

interface FacetOptions {
  /** Only values that contain it. */
  readonly search?: string;
  /** Whose labels are counted. */
  readonly source?: string;
  /** The id of an evaluation whose outcomes are counted. */
  readonly evaluation?: string;
}

/** How many of a result have each label, tag and so on. */
export const facetsOf = (datasetId: string, state: ExploreState, options: FacetOptions = {}) => {
  const query = { ...queryOf(state), ...options };
  return {
    queryKey: keys.of(datasetId, 'facets', query),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/facets', { params }));
    },
  };
};

export const useFacets = (datasetId: string, state: ExploreState, isWanted = true) =>
  useQuery({ ...facetsOf(datasetId, state), placeholderData: keepPreviousData, enabled: isWanted });

export const useFacetSearch = (datasetId: string, state: ExploreState, search: string) =>
  useQuery({ ...facetsOf(datasetId, state, { search }), placeholderData: keepPreviousData, enabled: search !== '' });

export const useSourceFacets = (datasetId: string, state: ExploreState, source: string) =>
  useQuery({ ...facetsOf(datasetId, state, { source }), placeholderData: keepPreviousData });

export const useOutcomeFacets = (datasetId: string, state: ExploreState, evaluation: string) =>
  useQuery({ ...facetsOf(datasetId, state, { evaluation }), placeholderData: keepPreviousData });

/** The names of all tags by id: a result has only those of its media. */
export function useTagNames(datasetId: string, isWanted: boolean): Readonly<Record<string, string>> {
  const { data = [] } = useQuery({
    queryKey: keys.of(datasetId, 'tags'),
    queryFn: () => service.dataset(datasetId).tags(),
    enabled: isWanted,
  });
  return Object.fromEntries(data.map(({ id, name }) => [id, name]));
}
