import { answered, service } from '../api/client';
import { keys } from '../api/keys';

/** The saved views of a dataset. */
export const viewsQuery = (datasetId: string) => ({
  queryKey: keys.of(datasetId, 'views'),
  queryFn: async () => {
    const params = { path: { dataset_id: datasetId } };
    return (await answered(service.api.GET('/api/v1/dataset/{dataset_id}/views', { params }))).views;
  },
});
