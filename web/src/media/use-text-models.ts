import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../api/client';
import { keys } from '../api/keys';

/** The models that can search the dataset by text. */
export function useTextModels(datasetId: string, enabled = true) {
  return useQuery({
    queryKey: keys.of(datasetId, 'embedding-models'),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId } };
      return answered(service.api.GET('/api/v1/vector_search/{dataset_id}/embedding_models', { params }));
    },
    enabled,
  });
}
