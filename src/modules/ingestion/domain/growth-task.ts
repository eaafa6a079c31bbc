import { z } from 'zod';
import { DATASET_STATUSES } from '../../datasets';
import { addedBatch } from './added-source';

/** What the task of an operation keeps, so that a failure can take the dataset back to where it began. */
export const growthParameters = z.object({ previousStatus: z.enum(DATASET_STATUSES) });
export type GrowthParameters = z.infer<typeof growthParameters>;

export const addMediaParameters = growthParameters.extend(addedBatch.shape);
export type AddMediaParameters = z.infer<typeof addMediaParameters>;
