import { z } from 'zod';
import { batchSource } from '../../sources/domain/batch-source';
import { updateParameters } from '../../../tables';

/** Hints for external capacity planning: validated and stored, without effect here. */
const batchHints = z.object({
  videos: z.number().nullable(),
  images: z.number().nullable(),
  objects: z.number().nullable(),
  useSpot: z.boolean().nullable(),
});
export type BatchHints = z.infer<typeof batchHints>;

/** A batch of media to add to an indexed dataset. */
const addition = z.object({ source: batchSource, autoReindex: z.boolean(), hints: batchHints });
export type Addition = z.infer<typeof addition>;

/** Parameters of the task. */
export const addMediaParameters = updateParameters.extend(addition.shape);
export type AddMediaParameters = z.infer<typeof addMediaParameters>;
