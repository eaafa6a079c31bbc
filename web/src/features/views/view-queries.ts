import { useMutation, useQuery } from '@tanstack/react-query';
import type { components, VqlFilter } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { isBusy, useDataset, type DatasetDetails } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { writeState, type EntityType } from '../../media/explore-address';
import { useTagNames } from '../../media/facets';
import { viewsQuery } from '../../media/views-query';
import { texts } from '../../texts';
import { summaryOf, usesTags } from './filter-summary';

export type SavedView = components['schemas']['SavedView'];
export type ViewTrend = components['schemas']['ViewTrend'];

const { views: words } = texts;
const WHILE_BUSY_MS = 3_000;

export const useViews = (dataset: DatasetDetails) =>
  useQuery({
    ...viewsQuery(dataset.id),
    refetchInterval: isBusy(dataset) ? WHILE_BUSY_MS : false,
  });

export const useTrend = (view: SavedView | undefined) =>
  useQuery({
    // The count is part of the key: a batch with matches makes the trend a different one.
    queryKey: keys.of(view?.dataset_id ?? '', 'views', view?.id, 'trend', view?.total_results),
    enabled: view?.monitoring_enabled === true,
    placeholderData: (before: ViewTrend | undefined) => before,
    queryFn: () => {
      const params = { path: { dataset_id: view!.dataset_id, view_id: view!.id } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/views/{view_id}/trend', { params }));
    },
  });

/** The filters of a view, in words. */
export function useSummary(view: SavedView): readonly string[] {
  const { id } = useDataset();
  return summaryOf(view.filters, useTagNames(id, usesTags(view.filters)));
}

const filtersOf = ({ filters }: SavedView, batchId: string | undefined): readonly VqlFilter[] => [
  ...filters.vql,
  ...(batchId === undefined ? [] : [{ batch: { op: 'is', value: batchId } } as VqlFilter]),
];

const levelOf = ({ filters }: SavedView): number => Math.floor(Number(filters.threshold));

/** The part of an address of Explore, or of a cluster, that has the filters of a view, also of one batch only. */
export const addressOf = (view: SavedView, batchId?: string): string =>
  writeState({
    entity: view.filters.entity_type as EntityType,
    level: levelOf(view),
    caption: view.filters.caption ?? '',
    filters: filtersOf(view, batchId),
    anchor: null,
    sort: null,
    block: 0,
  }).toString();

/** The filters that reduce a cluster to the matches of a batch. */
export const clusterFiltersOf = (view: SavedView, batchId: string) => ({
  entity_type: view.filters.entity_type as EntityType,
  threshold: levelOf(view),
  ...(view.filters.caption === null ? {} : { caption: view.filters.caption }),
  vql: [...filtersOf(view, batchId)],
});

export function useAlerting(view: SavedView) {
  const queryKey = keys.of(view.dataset_id, 'views');
  return useMutation({
    mutationFn: (enabled: boolean) => {
      const params = { path: { dataset_id: view.dataset_id, view_id: view.id } };
      const body = { request: { enabled } };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/views/{view_id}/alerting', { params, body }));
    },
    onSuccess: ({ alerting_enabled: isOn }) => {
      toast({ text: isOn ? words.alerts.on(view.name) : words.alerts.off(view.name) });
      // Otherwise the switch would go back until the list is read again.
      queries.setQueryData<SavedView[]>(queryKey, (all) =>
        all?.map((each) => (each.id === view.id ? { ...each, alerting_enabled: isOn } : each)),
      );
    },
    onError: (error) => toast({ text: words.alerts.failed(messageOf(error)), isFailure: true }),
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
}
