import type { Task } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { texts } from '../../texts';
import type { DescriptionChange } from './description';

/** Of the API. */
const MOST_MEDIA = 10_000;

export interface Described {
  /** How many media were changed before it was stopped. */
  readonly done: number;
  /** Of the tasks. */
  readonly warnings: readonly string[];
}

/** Gives the media the same caption and values, and ends when they can be seen; those before a failure stay changed. */
export async function describeMedia(
  datasetId: string,
  mediaIds: readonly string[],
  change: DescriptionChange,
  onProgress: (done: number) => void = () => undefined,
  isStopped: () => boolean = () => false,
): Promise<Described> {
  const warnings: string[] = [];
  let done = 0;
  try {
    while (done < mediaIds.length && !isStopped()) {
      onProgress(done);
      const batch = mediaIds.slice(done, done + MOST_MEDIA);
      warnings.push(...(await describeBatch(datasetId, batch, change)).warnings);
      done += batch.length;
    }
  } finally {
    void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
  }
  return { done, warnings };
}

/** A task that writes the table of the dataset anew. */
async function describeBatch(
  datasetId: string,
  mediaIds: readonly string[],
  { caption, metadata }: DescriptionChange,
): Promise<Task> {
  const annotations = mediaIds.map((id) => ({
    media_id: id,
    ...(caption !== undefined && { caption }),
    ...(metadata !== undefined && { metadata: [...metadata] }),
  }));
  const params = { path: { dataset_id: datasetId } };
  const body = { mode: 'add' as const, annotations };
  const started = await answered(service.api.POST('/api/v1/dataset/{dataset_id}/annotations', { params, body }));
  if (!('task_id' in started)) throw new Error(texts.shell.failure.unknown);
  return service.waitFor(started.task_id);
}
