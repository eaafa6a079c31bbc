import { PermanentJobError } from '../../../common/jobs/job-errors';
import { fullStoreSentence } from '../domain/full-store';

/** A store that is full is no fault that trying again would mend: it ends the task, and its reason says so. */
export async function namingFullStore<T>(storageUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const full = fullStoreSentence(error, storageUrl);
    throw full === undefined ? error : new PermanentJobError(full, { cause: error });
  }
}
