import { useQueries, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, service } from '../api/client';
import { keys } from '../api/keys';
import { mediaListQuery, MOST_LISTED } from './media-query';
import { TILE_FACTS, useTileSettings, type ShownFact } from './tile-settings';

export type MediaValues = NonNullable<components['schemas']['ListedMedia']['values']>;

/** Other facts come with the tiles. */
const isValue = (fact: ShownFact): boolean =>
  fact === 'uniqueness' || fact === 'issues' || fact === 'file_size' || fact.startsWith('field:');

/** The measures and fields of media, requested where a tile shows them: for each page of tiles at once. */
export function useTileValues(
  datasetId: string,
  shown: readonly ShownFact[],
  pages: readonly number[],
  idsOf: (page: number) => readonly string[],
): (mediaId: string) => MediaValues | undefined {
  const isWanted = shown.some(isValue);
  const asked = useQueries({
    queries: (isWanted ? pages : []).map((page) =>
      mediaListQuery(datasetId, idsOf(page).slice(0, MOST_LISTED), { withValues: true }),
    ),
  });
  const byId = new Map(asked.flatMap(({ data = [] }) => data.map((each) => [each?.media_id, each?.values] as const)));
  return (mediaId) => byId.get(mediaId);
}

/** Fields of the dataset's own. */
export const useOwnFields = (datasetId: string, isWanted = true) =>
  useQuery({
    enabled: isWanted,
    queryKey: keys.of(datasetId, 'fields'),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId } };
      return answered(service.api.GET('/api/v1/datasets/{dataset_id}/custom_metadata/schema', { params }));
    },
  });

/** Each takes a line of every tile. */
export const MOST_SHOWN = 6;

/** The chosen facts that this dataset has, in the order of the choices. */
export function useShownFacts(datasetId: string): readonly ShownFact[] {
  const [{ shown }] = useTileSettings();
  const { data: fields = [] } = useOwnFields(
    datasetId,
    shown.some((fact) => fact.startsWith('field:')),
  );
  const all: ShownFact[] = [...TILE_FACTS, ...fields.map(({ field_name: name }) => `field:${name}` as const)];
  return all.filter((fact) => shown.includes(fact)).slice(0, MOST_SHOWN);
}
