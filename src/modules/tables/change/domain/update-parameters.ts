import { z } from 'zod';
import { DATASET_STATUSES } from '../../../datasets';

/** Parameters of every update's task, so that a failure can restore the previous status. */
export const updateParameters = z.object({ previousStatus: z.enum(DATASET_STATUSES) });
export type UpdateParameters = z.infer<typeof updateParameters>;
