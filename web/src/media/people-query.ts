import { answered, service } from '../api/client';
import { keys } from '../api/keys';

/** Who has access to a dataset, its owner first. */
export const peopleQuery = (datasetId: string) => ({
  queryKey: keys.of(datasetId, 'share'),
  queryFn: () => {
    const params = { path: { dataset_id: datasetId } };
    return answered(service.api.GET('/api/v1/manage/{dataset_id}/share', { params }));
  },
});
