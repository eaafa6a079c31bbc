// Compiled against the installed package: the code of the README must type-check without Node's types.
import { MediaService, NotFoundError, take, type MediaCluster } from 'dataset-media-service-sdk';

export async function usage(): Promise<MediaCluster[]> {
  const dms = new MediaService({ url: 'http://127.0.0.1:3000', credentials: { apiKey: 'key', apiSecret: 'secret' } });
  const dataset = await dms.findDataset('photos');
  for await (const task of dms.tasks({ task_status: 'RUNNING' })) await dms.waitFor(task);
  const { data } = await dms.api.GET('/api/v1/dataset/{dataset_id}', { params: { path: { dataset_id: dataset.id } } });
  if (data?.status_new !== 'READY')
    throw new NotFoundError({
      status: 404,
      method: 'GET',
      url: '',
      requestId: null,
      retryAfterSeconds: null,
      detail: 'not ready',
      reason: null,
      conflicts: [],
    });
  return take(dataset.search({ vql: [{ labels: { op: 'one_of', value: ['boat'] } }], threshold: 3 }), 10);
}
