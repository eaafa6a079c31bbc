import { Outlet, useParams } from 'react-router';
import { DatasetContext, useDatasetDetails } from '../api/datasets';
import { Failure } from '../api/failure';
import { PageHeader } from '../design/page-header';

/** Gives the pages below it their dataset. */
export function DatasetLayout() {
  const { datasetId = '' } = useParams();
  const { data, error, refetch } = useDatasetDetails(datasetId);
  if (data !== undefined)
    return (
      <DatasetContext value={data}>
        <Outlet />
      </DatasetContext>
    );
  return error === null ? <PageHeader title=" " /> : <Failure error={error} onRetry={() => void refetch()} />;
}
