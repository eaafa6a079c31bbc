import type { components } from 'dataset-media-service-sdk';
import { hashKey } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { sizeOf } from '../matching-clusters';
import type { SelectionItem } from '../media-selection';

type ExploreResult = components['schemas']['ExploreResult'];
type ClusterItem = Extract<SelectionItem, { type: 'cluster' }>;

/** Of the API. */
const MOST_MEMBERS = 1_000;
const CLUSTERS_AT_ONCE = 6;
/** Parameters of a search that select no media. */
const NO_FILTERS = ['sort', 'allow_partial'];

/** The ids of the media of a selection, each once; fewer if it is stopped. */
export async function mediaIn(
  datasetId: string,
  items: readonly SelectionItem[],
  isStopped: () => boolean,
): Promise<readonly string[]> {
  const ids = new Set(items.flatMap((item) => (item.type === 'media' ? item.payload.media_ids : [])));
  const shown = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const clusters = items.filter((item) => item.type === 'cluster');
  for (let at = 0; at < clusters.length && !isStopped(); at += CLUSTERS_AT_ONCE) {
    const some = clusters.slice(at, at + CLUSTERS_AT_ONCE);
    const found = await Promise.all(some.map((cluster) => membersOf(datasetId, cluster, shown)));
    for (const id of found.flat()) ids.add(id);
  }
  return [...ids];
}

async function membersOf(
  datasetId: string,
  { payload: { cluster_id: clusterId, cluster_filters: filters } }: ClusterItem,
  shown: Map<string, ReadonlyMap<string, readonly string[]>>,
): Promise<readonly string[]> {
  const { vql, ...others } = filters ?? {};
  const query = { ...others, ...(vql != null && { vql: JSON.stringify(vql) }) };
  const search = hashKey([query]);
  const known = shown.get(search) ?? clustersShown(datasetId, search);
  shown.set(search, known);
  return known.get(clusterId) ?? readMembers(datasetId, clusterId, query);
}

/** By id, clusters of a search whose tiles have shown all of their media. */
function clustersShown(datasetId: string, search: string): ReadonlyMap<string, readonly string[]> {
  const pages = queries.getQueriesData<ExploreResult>({ queryKey: keys.of(datasetId, 'explore') });
  const clusters = pages.flatMap(([[, , , asked], data]) => {
    const filters = Object.entries(asked as object).filter(([name]) => !NO_FILTERS.includes(name));
    return data === undefined || hashKey([Object.fromEntries(filters)]) !== search ? [] : data.clusters;
  });
  return new Map(
    clusters
      .filter((cluster) => cluster.previews.length === sizeOf(cluster))
      .map(({ cluster_id: id, previews }) => [id, previews.map(({ media_id: mediaId }) => mediaId)]),
  );
}

async function readMembers(datasetId: string, clusterId: string, asked: object): Promise<readonly string[]> {
  const read = (page: number) => {
    const query = { ...asked, limit: MOST_MEMBERS, page_number: page };
    return queries.query({
      queryKey: keys.of(datasetId, 'members', clusterId, asked, 'all', page),
      queryFn: () => {
        const params = { path: { dataset_id: datasetId, cluster_id: clusterId }, query };
        return answered(service.api.GET('/api/v1/explore/{dataset_id}/clusters/{cluster_id}', { params }));
      },
      gcTime: 0,
    });
  };
  const ids: string[] = [];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const { members, total_pages: total } = await read(page);
    for (const { media_id: id } of members) ids.push(id);
    pages = total;
  }
  return ids;
}
