import type { MediaCluster } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../api/client';
import { keys } from '../api/keys';
import { hasLikeness, orderedQueryOf, queryOf, type ExploreState } from './explore-address';
import { MOST_ITEMS, type SelectionItem } from './media-selection';
import type { SelectedItem } from './selection';

/** Of the API. */
export const CLUSTERS_PER_PAGE = 100;

/** While vectors are being read. */
const AGAIN_MS = 2_000;

const pageOf = (
  datasetId: string,
  query: ReturnType<typeof orderedQueryOf> & { allow_partial?: boolean },
  page: number,
) => ({
  queryKey: keys.of(datasetId, 'explore', query, page),
  queryFn: () => {
    const params = { path: { dataset_id: datasetId }, query: { ...query, page_number: page } };
    return answered(service.api.GET('/api/v1/explore/{dataset_id}', { params }));
  },
});

/** A page of the clusters of a result, to be shown: first of the vectors that are loaded, soon of all. */
export const clusterPage = (datasetId: string, state: ExploreState, page: number) => {
  const asked = pageOf(
    datasetId,
    { ...orderedQueryOf(state), ...(hasLikeness(state) && { allow_partial: true }) },
    page,
  );
  type Answer = Awaited<ReturnType<typeof asked.queryFn>>;
  return {
    ...asked,
    refetchInterval: ({ state: { data } }: { readonly state: { readonly data: Answer | undefined } }) =>
      data?.partial === undefined ? false : AGAIN_MS,
  };
};

export const sizeOf = ({ n_images, n_objects, n_videos, n_frames }: MediaCluster): number =>
  n_images + n_objects + n_videos + n_frames;

export const clusterItem = (cluster: MediaCluster): SelectedItem => ({ id: cluster.cluster_id, size: sizeOf(cluster) });

export interface AllItems {
  readonly items: readonly SelectedItem[];
  /** Whether there are others, which one action cannot take. */
  readonly areMore: boolean;
}

/** Of the clusters of a result, in all of its blocks. */
export async function allClusters(datasetId: string, state: ExploreState): Promise<AllItems> {
  const most = MOST_ITEMS / CLUSTERS_PER_PAGE;
  const read = (page: number) => queries.query(pageOf(datasetId, orderedQueryOf(state), page));
  const first = await read(0);
  const others = Array.from({ length: Math.min(most, first.total_pages) }, (_, page) => page).slice(1);
  const pages = await Promise.all(others.map(read));
  const items = [first, ...pages].flatMap(({ clusters }) => clusters.map(clusterItem));
  return { items, areMore: first.total_pages > most };
}

/** In a body, filters are a list instead of a text. */
function clusterFilters(state: ExploreState) {
  const { vql, ...query } = queryOf(state);
  return { ...query, ...(vql === undefined ? {} : { vql: [...state.filters] }) };
}

/** The members of clusters that match the search. */
export const clusterItems = (ids: readonly string[], state: ExploreState): readonly SelectionItem[] =>
  ids.map((id) => ({ type: 'cluster', payload: { cluster_id: id, cluster_filters: clusterFilters(state) } }));
