import { z } from 'zod';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import { updateParameters } from '../../tables';

/** Parameters of the task. */
export const syncParameters = updateParameters.extend({
  source: z.object({ kind: z.literal('sync'), prune: z.boolean() }),
});
export type SyncParameters = z.infer<typeof syncParameters>;

export const isSync = (parameters: object): boolean => syncParameters.safeParse(parameters).success;

export class NoSourceToSyncError extends BadRequestError {
  constructor(datasetId: string) {
    super(`Dataset ${datasetId} was made by upload, so it has no source to sync with`);
  }
}
