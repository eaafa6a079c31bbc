import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { MediaCluster, MediaPreview } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { keys } from '../../api/keys';
import { queryOf, type ExploreState } from './explore-state';

/** Of the API. */
export const CLUSTERS_PER_PAGE = 100;
export const MEMBERS_PER_PAGE = 100;
/** A browser cannot scroll through a million rows, so a large result is shown in parts. */
export const PAGES_PER_BLOCK = 20;

const pageOf = (datasetId: string, state: ExploreState, page: number) => {
  const query = queryOf(state);
  return {
    queryKey: keys.of(datasetId, 'explore', query, page),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query: { ...query, page_number: page } };
      return answered(service.api.GET('/api/v1/explore/{dataset_id}', { params }));
    },
  };
};

export interface Pages<Item> {
  readonly count: number;
  readonly at: (index: number) => Item | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly refetch: () => void;
}

/** The clusters of a block: its first page tells how many there are, the others are read when they come into sight. */
export function useClusters(
  datasetId: string,
  state: ExploreState,
  visible: readonly number[],
): Pages<MediaCluster> & { readonly totalPages: number } {
  const begin = state.block * PAGES_PER_BLOCK;
  const first = useQuery({ ...pageOf(datasetId, state, begin), placeholderData: keepPreviousData });
  const totalPages = first.data?.total_pages ?? 0;
  const pages = Math.max(0, Math.min(PAGES_PER_BLOCK, totalPages - begin));
  const wanted = visible.filter((page) => page > 0 && page < pages);
  const others = useQueries({ queries: wanted.map((page) => pageOf(datasetId, state, begin + page)) });
  const clustersOf = (page: number): readonly MediaCluster[] | undefined =>
    page === 0 ? first.data?.clusters : others[wanted.indexOf(page)]?.data?.clusters;
  const last = clustersOf(pages - 1);
  return {
    count: pages === 0 ? 0 : (pages - 1) * CLUSTERS_PER_PAGE + (last?.length ?? CLUSTERS_PER_PAGE),
    at: (index) => clustersOf(Math.floor(index / CLUSTERS_PER_PAGE))?.[index % CLUSTERS_PER_PAGE],
    error: first.data === undefined ? first.error : null,
    isLoading: first.isPending,
    refetch: () => void first.refetch(),
    totalPages,
  };
}

const membersOf = (datasetId: string, clusterId: string, state: ExploreState, page: number) => {
  const query = { ...queryOf(state), limit: MEMBERS_PER_PAGE };
  return {
    queryKey: keys.of(datasetId, 'members', clusterId, query, page),
    queryFn: () => {
      const params = {
        path: { dataset_id: datasetId, cluster_id: clusterId },
        query: { ...query, page_number: page },
      };
      return answered(service.api.GET('/api/v1/explore/{dataset_id}/clusters/{cluster_id}', { params }));
    },
  };
};

export function useMembers(
  datasetId: string,
  clusterId: string,
  state: ExploreState,
  visible: readonly number[],
): Pages<MediaPreview> {
  const first = useQuery(membersOf(datasetId, clusterId, state, 0));
  const wanted = visible.filter((page) => page > 0 && page < (first.data?.total_pages ?? 0));
  const others = useQueries({ queries: wanted.map((page) => membersOf(datasetId, clusterId, state, page)) });
  return {
    count: first.data?.total ?? 0,
    at: (index) => {
      const page = Math.floor(index / MEMBERS_PER_PAGE);
      const data = page === 0 ? first.data : others[wanted.indexOf(page)]?.data;
      return data?.members[index % MEMBERS_PER_PAGE];
    },
    error: first.error,
    isLoading: first.isPending,
    refetch: () => void first.refetch(),
  };
}

export const useFacets = (datasetId: string, state: ExploreState) => {
  const query = queryOf(state);
  return useQuery({
    queryKey: keys.of(datasetId, 'facets', query),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/facets', { params }));
    },
    placeholderData: keepPreviousData,
  });
};
