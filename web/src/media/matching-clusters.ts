import { answered, queries, service } from '../api/client';
import { keys } from '../api/keys';
import { queryOf, type ExploreState } from './explore-address';
import { MOST_ITEMS, type SelectionItem } from './media-selection';

/** Of the API. */
export const CLUSTERS_PER_PAGE = 100;

/** A page of the clusters of a result. */
export const clusterPage = (datasetId: string, state: ExploreState, page: number) => {
  const query = queryOf(state);
  return {
    queryKey: keys.of(datasetId, 'explore', query, page),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query: { ...query, page_number: page } };
      return answered(service.api.GET('/api/v1/explore/{dataset_id}', { params }));
    },
  };
};

export interface AllIds {
  readonly ids: readonly string[];
  /** Whether there are others, which one action cannot take. */
  readonly areMore: boolean;
}

/** Of the clusters of a result, in all of its blocks. */
export async function allClusters(datasetId: string, state: ExploreState): Promise<AllIds> {
  const most = MOST_ITEMS / CLUSTERS_PER_PAGE;
  const first = await queries.query(clusterPage(datasetId, state, 0));
  const others = Array.from({ length: Math.min(most, first.total_pages) }, (_, page) => page).slice(1);
  const pages = await Promise.all(others.map((page) => queries.query(clusterPage(datasetId, state, page))));
  const ids = [first, ...pages].flatMap(({ clusters }) => clusters.map(({ cluster_id: id }) => id));
  return { ids, areMore: first.total_pages > most };
}

/** In a body, filters are a list instead of a text. */
function clusterFilters(state: ExploreState) {
  const { vql, ...query } = queryOf(state);
  return { ...query, ...(vql === undefined ? {} : { vql: [...state.filters] }) };
}

/** The members of clusters that match the search. */
export const clusterItems = (ids: readonly string[], state: ExploreState): readonly SelectionItem[] =>
  ids.map((id) => ({ type: 'cluster', payload: { cluster_id: id, cluster_filters: clusterFilters(state) } }));
