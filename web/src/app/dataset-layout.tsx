import { useEffect, useRef } from 'react';
import { Outlet, useParams } from 'react-router';
import { queries } from '../api/client';
import { DatasetContext, isBusy, useDatasetDetails } from '../api/datasets';
import { Failure } from '../api/failure';
import { keys } from '../api/keys';
import { PageHeader } from '../design/page-header';

/** Gives the pages below it their dataset. */
export function DatasetLayout() {
  const { datasetId = '' } = useParams();
  const { data, error, refetch } = useDatasetDetails(datasetId);
  useFreshAfterChange(datasetId, data !== undefined && isBusy(data));
  if (data !== undefined)
    return (
      <DatasetContext value={data}>
        <Outlet />
      </DatasetContext>
    );
  return error === null ? <PageHeader title=" " /> : <Failure isPage error={error} onRetry={() => void refetch()} />;
}

/** Cached answers of a dataset are out of date once it has changed. */
function useFreshAfterChange(datasetId: string, busy: boolean): void {
  const before = useRef({ datasetId, busy });
  useEffect(() => {
    const { current } = before;
    if (current.datasetId === datasetId && current.busy && !busy)
      void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
    before.current = { datasetId, busy };
  }, [datasetId, busy]);
}
