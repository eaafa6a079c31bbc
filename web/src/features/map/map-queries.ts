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
  /** That outcomes are of, if they are its colours. */
  readonly evaluation: string | undefined;
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

/** The meaning of the colours, and the evaluation that outcomes are of. */
export interface Coloured {
  readonly colouring: Colouring;
  readonly evaluation: string | undefined;
}

const mapOf = (datasetId: string, state: ExploreState, { colouring, evaluation }: Coloured) => {
  const query = { ...queryOf(state), color_by: colouring, ...(evaluation !== undefined && { evaluation }) };
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
      return { evaluation, map, source };
    },
  };
};

/** The map before stays while another is asked for. */
export const useMap = (datasetId: string, state: ExploreState, coloured: Coloured, isEnabled: boolean) =>
  useQuery({ ...mapOf(datasetId, state, coloured), enabled: isEnabled, placeholderData: keepPreviousData });

export async function readRows(
  datasetId: string,
  mapVersion: string,
  rows: readonly number[],
): Promise<readonly MediaOnMap[]> {
  const params = { path: { dataset_id: datasetId }, query: { rows: rows.join(','), map_version: mapVersion } };
  const { media } = await answered(service.api.GET('/api/v1/dataset/{dataset_id}/map/media', { params }));
  return media;
}
