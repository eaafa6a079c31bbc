import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answered, service } from '../api/client';
import { keys } from '../api/keys';
import { queryOf, type ExploreState } from './explore-address';

/** How many of a result have each label, tag and so on. */
export const facetsOf = (datasetId: string, state: ExploreState) => {
  const query = queryOf(state);
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
