import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, service } from '../../api/client';
import { useDatasets, type DatasetDetails } from '../../api/datasets';
import { keys } from '../../api/keys';
import { mediaListQuery } from '../../media/media-query';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';

export type Findings = components['schemas']['Findings'];

export const KINDS = ['captions', 'labels', 'objects', 'text'] as const;
export type Kind = (typeof KINDS)[number];

export const PER_PAGE = 20;

/** A state that findings are compared with. */
export interface EarlierState {
  /** In the address: `source`, or the id of a snapshot. */
  readonly value: string;
  readonly label: string;
  readonly datasetId: string;
  readonly snapshotId: string | undefined;
}

const SOURCE = 'source';

export const useFindings = (datasetId: string, page: number) =>
  useQuery({
    queryKey: keys.of(datasetId, 'findings', page),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query: { limit: PER_PAGE, offset: page * PER_PAGE } };
      return answered(service.api.GET('/api/v1/enrichment/{dataset_id}/findings', { params }));
    },
    placeholderData: keepPreviousData,
  });

/** The snapshots that were taken before models were applied, newest first, and the dataset that a copy was made of. Undefined while they are read. */
export function useEarlierStates({
  id,
  source_dataset_id: sourceId,
}: DatasetDetails): readonly EarlierState[] | undefined {
  const datasets = useDatasets();
  const snapshots = useQuery({
    queryKey: keys.of(id, 'snapshots'),
    queryFn: () => service.dataset(id).snapshots(),
  });
  if (datasets.isPending || snapshots.isPending) return undefined;
  const source = datasets.data?.find((each) => each.id === sourceId);
  return [
    // Where snapshots are turned off there are none.
    ...(snapshots.data ?? [])
      .filter(({ reason }) => reason === 'enrichment')
      .map(({ snapshot_id: snapshotId, description, created_at: at }) => ({
        value: snapshotId,
        label: texts.enrich.findings.beforeOf(description, formatTime(at)),
        datasetId: id,
        snapshotId,
      })),
    ...(source === undefined
      ? []
      : [{ value: SOURCE, label: source.display_name, datasetId: source.id, snapshotId: undefined }]),
  ];
}

/** The media of a page as they are now, and as the earlier state has them. */
export function useBothStates(datasetId: string, mediaIds: readonly string[], earlier: EarlierState | undefined) {
  const now = useQuery({
    ...mediaListQuery(datasetId, mediaIds, { withObjects: true, withText: true }),
    placeholderData: keepPreviousData,
  });
  const query = mediaListQuery(earlier?.datasetId ?? datasetId, mediaIds, {
    snapshotId: earlier?.snapshotId,
    withObjects: true,
    withText: true,
  });
  const before = useQuery({ ...query, enabled: query.enabled && earlier !== undefined });
  return { now, before };
}
