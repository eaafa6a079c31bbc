import { createContext, useContext } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DatasetDetails, DatasetListItem } from 'dataset-media-service-sdk';
import { service } from './client';
import { keys } from './keys';

const WHILE_BUSY_MS = 1_500;
const WHILE_IDLE_MS = 20_000;

export const isBusy = ({ status_new: status }: Pick<DatasetDetails, 'status_new'>): boolean =>
  status === 'INDEXING' || status === 'READ ONLY';

/** Whether it has media that can be looked at. */
export const isExplorable = ({ status_new: status }: Pick<DatasetDetails, 'status_new'>): boolean =>
  status === 'READY' || status === 'PARTIAL INDEX' || status === 'READ ONLY';

/** All datasets, read often while one of them changes. */
export const useDatasets = () =>
  useQuery({
    queryKey: keys.datasets,
    queryFn: () => service.datasets(),
    refetchInterval: ({ state }) => (state.data?.some(isBusy) === true ? WHILE_BUSY_MS : WHILE_IDLE_MS),
  });

export const useDatasetDetails = (id: string) =>
  useQuery({
    queryKey: keys.dataset(id),
    queryFn: () => service.dataset(id).get(),
    refetchInterval: ({ state }) => (state.data !== undefined && isBusy(state.data) ? WHILE_BUSY_MS : false),
  });

/** Whether the caller may change it. The list tells the role; what it does not list yet is left to the service. */
export const useMayChange = (id: string): boolean =>
  useDatasets().data?.find((dataset) => dataset.id === id)?.role !== 'viewer';

/** Whether the caller may do what only owners, and admins of the workspace, may. */
export function useMayOwn(id: string): boolean {
  return useDatasets().data?.find((dataset) => dataset.id === id)?.role === 'owner';
}

export const DatasetContext = createContext<DatasetDetails | null>(null);

/** The dataset that the page is about. */
export function useDataset(): DatasetDetails {
  const dataset = useContext(DatasetContext);
  if (dataset === null) throw new Error('This page is not below a dataset');
  return dataset;
}

export type { DatasetDetails, DatasetListItem };
