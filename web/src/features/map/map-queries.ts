import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ConflictError, type components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { queryOf, type ExploreState } from '../../media/explore-address';
import type { Colouring } from './map-address';
import { parseTile } from './tile-format';
import type { MapSource } from './tile-set';

export type DatasetMap = components['schemas']['DatasetMap'];
export type MediaOnMap = components['schemas']['MediaOnMap'];

export interface AskedMap {
  readonly map: DatasetMap;
  readonly source: MapSource;
}

const mapKey = (datasetId: string) => keys.of(datasetId, 'map');

/** Requests the map again if the error says that the dataset has changed; returns whether it did. */
export function refreshedAfter(datasetId: string, error: unknown): boolean {
  if (!(error instanceof ConflictError)) return false;
  void queries.invalidateQueries({ queryKey: mapKey(datasetId) });
  return true;
}

interface Colours {
  readonly colouring: Colouring;
  readonly evaluation: string | null;
}

const mapOf = (datasetId: string, state: ExploreState, { colouring, evaluation }: Colours) => {
  const query = {
    ...queryOf(state),
    color_by: colouring,
    ...(colouring === 'outcome' && evaluation !== null && { evaluation }),
  };
  return {
    queryKey: [...mapKey(datasetId), query],
    queryFn: async (): Promise<AskedMap> => {
      const params = { path: { dataset_id: datasetId }, query };
      const map = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/map', { params }));
      const tileQuery = { ...query, map_version: map.map_version };
      const search = new URLSearchParams(
        Object.entries(tileQuery).map(([name, value]) => [name, String(value)]),
      ).toString();
      const source: MapSource = {
        key: `${datasetId}?${search}`,
        version: map.map_version,
        placed: map.placed_media,
        deepest: map.max_zoom,
        read: async (id, signal) => {
          const path = `/api/v1/dataset/${datasetId}/map/tiles/${id.z}/${id.x}/${id.y}?${search}`;
          const response = await service.connection.request(path, { signal });
          return parseTile(id, await response.arrayBuffer());
        },
      };
      return { map, source };
    },
  };
};

/** The map before stays while another is asked for. */
export const useMap = (datasetId: string, state: ExploreState, colours: Colours, isEnabled: boolean) =>
  useQuery({ ...mapOf(datasetId, state, colours), enabled: isEnabled, placeholderData: keepPreviousData });

export async function readRows(
  datasetId: string,
  mapVersion: string,
  rows: readonly number[],
): Promise<readonly MediaOnMap[]> {
  const params = { path: { dataset_id: datasetId }, query: { rows: rows.join(','), map_version: mapVersion } };
  const { media } = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/map/media', { params }));
  return media;
}
