import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { booleanText, uuid } from '../../../../common/platform/http/query-values';

const path = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(4096, { error: 'Input should be at most 4096 characters' })
  .superRefine((value, context) => {
    if (/^https?:\/\//i.test(value))
      context.addIssue({
        code: 'custom',
        message: 'Media are not read from web addresses: give an absolute path or s3://bucket/prefix',
      });
    else if (!isAbsolute(value) && !/^(s3:\/\/|file:\/\/\/)/.test(value))
      context.addIssue({ code: 'custom', message: 'Input should be an absolute path or s3://bucket/prefix' });
  })
  .meta({
    description: 'An absolute folder, a list of media (.txt, .csv, .parquet), or s3://bucket/prefix.',
    example: EXAMPLE.folder,
  });

/** JSON has booleans of its own. */
const flag = z.preprocess((value) => (typeof value === 'boolean' ? String(value) : value), booleanText.optional());

export const processParameters = z.object({
  path,
  name: z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(255, { error: 'Input should be at most 255 characters' })
    .meta({ description: 'Of the new dataset, 1 to 255 characters.', example: 'Harbour' }),
  labels_from_folders: flag.describe(
    'Whether images and frames are labelled with the name of the folder of their file; default false.',
  ),
  serve_mode: z
    .enum(['reduce_disk_space'], { error: 'Input should be reduce_disk_space' })
    .optional()
    .describe('reduce_disk_space, or omitted; has no effect.'),
});

export const addMediaParameters = z.object({
  dataset_id: uuid.meta({ description: 'The dataset that the media are added to.', example: EXAMPLE.dataset }),
  path,
  auto_reindex: flag.describe('Whether to reindex the dataset at once; default false.'),
});

export const reindexParameters = z.object({
  dataset_id: uuid.meta({ description: 'The dataset to reindex.', example: EXAMPLE.dataset }),
});

const started = z.object({ status: z.literal('success'), message: z.string(), dataset_id: z.uuid() });
export const startedResponse = started.meta({
  id: 'PipelineStarted',
  example: { message: 'Reindexing started', dataset_id: EXAMPLE.dataset },
});
export type Started = z.infer<typeof startedResponse>;
export const processStartedResponse = started.extend({ name: z.string() }).meta({
  id: 'PipelineProcessStarted',
  example: { message: 'Dataset processing started', dataset_id: EXAMPLE.dataset, name: 'Harbour' },
});
export type ProcessStarted = z.infer<typeof processStartedResponse>;
