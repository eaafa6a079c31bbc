import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { components, MediaCluster, MediaPreview } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { CLUSTERS_PER_PAGE, clusterPage, type AllItems } from '../../media/matching-clusters';
import { keys } from '../../api/keys';
import { orderedQueryOf, readState, type ExploreState } from './explore-state';

type ExploreResult = components['schemas']['ExploreResult'];
type ClusterMembers = components['schemas']['ClusterMembers'];

/** Of the API. */
export const MEMBERS_PER_PAGE = 100;
/** A browser cannot scroll through a million rows, so a large result is shown in parts. */
export const PAGES_PER_BLOCK = 20;

export interface Pages<Item> {
  readonly count: number;
  readonly at: (index: number) => Item | undefined;
  /** Reads the page of an item again, where that failed. */
  readonly againAt: (index: number) => (() => void) | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly refetch: () => void;
}

/** One request for all tiles of a page. */
const againAfter = (page: Pick<UseQueryResult, 'isLoadingError' | 'refetch'> | undefined): (() => void) | undefined =>
  page?.isLoadingError === true ? () => void page.refetch({ cancelRefetch: false }) : undefined;

export interface ClusterPages extends Pages<MediaCluster> {
  readonly totalPages: number;
  readonly partial: ExploreResult['partial'];
  /** Set if the search may have missed some media. */
  readonly recall: ExploreResult['recall'];
  /** What a text was understood as, where that tells what pictures are found. */
  readonly understood: ExploreResult['understood'];
}

/** The clusters of a block: its first page tells how many there are, the others are read when they come into sight. */
export function useClusters(datasetId: string, state: ExploreState, visible: readonly number[]): ClusterPages {
  const begin = state.block * PAGES_PER_BLOCK;
  const first = useQuery({ ...clusterPage(datasetId, state, begin), placeholderData: keepPreviousData });
  const totalPages = first.data?.total_pages ?? 0;
  const pages = Math.max(0, Math.min(PAGES_PER_BLOCK, totalPages - begin));
  const wanted = visible.filter((page) => page > 0 && page < pages);
  const others = useQueries({ queries: wanted.map((page) => clusterPage(datasetId, state, begin + page)) });
  const clustersOf = (page: number): readonly MediaCluster[] | undefined =>
    page === 0 ? first.data?.clusters : others[wanted.indexOf(page)]?.data?.clusters;
  // Once it was read, its size is known out of sight too.
  const ending = useQuery({ ...clusterPage(datasetId, state, begin + Math.max(0, pages - 1)), enabled: false });
  const last = clustersOf(pages - 1) ?? ending.data?.clusters;
  return {
    count: pages === 0 ? 0 : (pages - 1) * CLUSTERS_PER_PAGE + (last?.length ?? CLUSTERS_PER_PAGE),
    at: (index) => clustersOf(Math.floor(index / CLUSTERS_PER_PAGE))?.[index % CLUSTERS_PER_PAGE],
    againAt: (index) => againAfter(others[wanted.indexOf(Math.floor(index / CLUSTERS_PER_PAGE))]),
    error: first.data === undefined ? first.error : null,
    isLoading: first.isPending,
    refetch: () => void first.refetch(),
    totalPages,
    partial: first.data?.partial,
    recall: first.data?.recall,
    understood: first.data?.understood,
  };
}

/** Asks for the first clusters of an address. */
export function prepareClusters(datasetId: string, search: URLSearchParams): Promise<unknown> {
  const state = readState(search);
  return queries.query(clusterPage(datasetId, state, state.block * PAGES_PER_BLOCK));
}

/** Whether the first clusters are there, or have failed. */
export function useHasClusters(datasetId: string, state: ExploreState): boolean {
  const first = clusterPage(datasetId, state, state.block * PAGES_PER_BLOCK);
  return useQuery({ ...first, enabled: false }).isFetched;
}

const membersOf = (
  datasetId: string,
  clusterId: string,
  state: ExploreState,
  page: number,
  limit = MEMBERS_PER_PAGE,
) => {
  const query = { ...orderedQueryOf(state), limit };
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

export interface MemberPages extends Pages<MediaPreview> {
  readonly totalPages: number;
}

export function useMembers(
  datasetId: string,
  clusterId: string,
  state: ExploreState,
  visible: readonly number[],
): MemberPages {
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
    againAt: (index) => againAfter(others[wanted.indexOf(Math.floor(index / MEMBERS_PER_PAGE))]),
    error: first.error,
    isLoading: first.isPending,
    refetch: () => void first.refetch(),
    totalPages: first.data?.total_pages ?? 0,
  };
}

/** The media that represent the items of a page: from the cache alone, or requested. */
type IdsOf = (page: number, isCachedOnly: boolean) => Promise<readonly string[]>;

export const clusterIdsOf =
  (datasetId: string, state: ExploreState): IdsOf =>
  async (page, isCachedOnly) => {
    const query = clusterPage(datasetId, state, page);
    const data = isCachedOnly ? queries.getQueryData<ExploreResult>(query.queryKey) : await queries.query(query);
    return data?.clusters.flatMap(({ previews }) => previews.slice(0, 1).map(({ media_id: id }) => id)) ?? [];
  };

export const memberIdsOf =
  (datasetId: string, clusterId: string, state: ExploreState): IdsOf =>
  async (page, isCachedOnly) => {
    const query = membersOf(datasetId, clusterId, state, page);
    const data = isCachedOnly ? queries.getQueryData<ClusterMembers>(query.queryKey) : await queries.query(query);
    return data?.members.map(({ media_id: id }) => id) ?? [];
  };

/** The medium before or after another one, on any page. */
export async function beyond(
  mediaId: string,
  step: 1 | -1,
  totalPages: number,
  idsOf: IdsOf,
): Promise<string | undefined> {
  for (let page = 0; page < totalPages; page += 1) {
    const ids = await idsOf(page, true);
    const at = ids.indexOf(mediaId);
    if (at < 0) continue;
    const beside = ids[at + step];
    const other = page + step;
    if (beside !== undefined || other < 0 || other >= totalPages) return beside;
    return (await idsOf(other, false)).at(step === 1 ? 0 : -1);
  }
  return undefined;
}

/** Of the API. */
const MOST_PER_PAGE = 1_000;
export const MOST_MEDIA = 10_000;

export async function allMembers(datasetId: string, clusterId: string, state: ExploreState): Promise<AllItems> {
  const read = (page: number) => queries.query(membersOf(datasetId, clusterId, state, page, MOST_PER_PAGE));
  const first = await read(0);
  const others = Array.from({ length: Math.min(MOST_MEDIA / MOST_PER_PAGE, first.total_pages) }, (_, page) => page);
  const pages = await Promise.all(others.slice(1).map(read));
  const items = [first, ...pages].flatMap(({ members }) => members.map(({ media_id: id }) => ({ id, size: 1 })));
  return { items, areMore: first.total > items.length };
}
