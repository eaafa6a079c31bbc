import { z } from 'zod';
import { DATASET_STATUSES } from '../../../datasets';

/** What the task of every update keeps, so that a failure can take the dataset back to where it began. */
export const updateParameters = z.object({ previousStatus: z.enum(DATASET_STATUSES) });
export type UpdateParameters = z.infer<typeof updateParameters>;
