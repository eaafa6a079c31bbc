import { z } from 'zod';
import { DATASET_STATUSES } from '../../../datasets';
import { BadRequestError, ForbiddenError } from '../../../../common/platform/errors/domain-error';

export class AddMediaDisabledError extends ForbiddenError {
  constructor() {
    super('Add media feature is not enabled');
  }
}

export class NeverIndexedError extends BadRequestError {
  constructor(datasetId: string) {
    super(`Dataset ${datasetId} has no embedding_config - index the dataset first`);
  }
}

/** Parameters of every update's task, so that a failure can restore the previous status. */
export const updateParameters = z.object({ previousStatus: z.enum(DATASET_STATUSES) });
export type UpdateParameters = z.infer<typeof updateParameters>;
