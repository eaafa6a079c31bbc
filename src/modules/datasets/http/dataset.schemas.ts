import { z } from 'zod';
import { EXAMPLE, exampleUri } from '../../../common/platform/http/description/example-ids';
import { givenDescription, givenName, booleanText } from '../../../common/platform/http/query-values';

export const datasetListQuery = z.object({
  sort_by: z
    .enum(['date', 'name', 'status'], { error: 'Input should be date, name or status' })
    .default('date')
    .describe('Sort order; date means newest first.'),
  include_hidden: booleanText
    .default(false)
    .describe('Whether to include drafts that were not touched for a day: true or false.'),
});
export type DatasetListQuery = z.infer<typeof datasetListQuery>;

export const datasetWordsBody = z
  .object({ display_name: givenName.optional(), description: givenDescription.optional() })
  .refine((words) => words.display_name !== undefined || words.description !== undefined, {
    error: 'Input should have a display_name, a description or both',
  })
  .meta({ example: { display_name: 'Harbour, cleaned', description: 'Without copies.' } });
export type DatasetWordsBody = z.output<typeof datasetWordsBody>;

const example = {
  id: EXAMPLE.dataset,
  display_name: 'Harbour',
  description: '',
  source_type: 'LOCAL_FOLDER',
  owned_by: 'DMS',
  created_at: '2026-11-24T09:30:00.000000',
  status: 'READY',
  status_new: 'READY',
  progress: 100,
  n_images: 1200,
  n_videos: 0,
  n_objects: 340,
  fatal_error_msg: null,
  source_dataset_id: null,
};

export const datasetResponse = z
  .object({
    id: z.uuid(),
    display_name: z.string(),
    description: z.string(),
    source_type: z.string(),
    owned_by: z.string(),
    created_at: z.string(),
    status: z.string(),
    status_new: z.enum(['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR']),
    progress: z.int(),
    n_images: z.int(),
    n_videos: z.int(),
    n_objects: z.int(),
    fatal_error_msg: z.string().nullable(),
    source_dataset_id: z.uuid().nullable(),
  })
  .meta({ id: 'Dataset', example: example });

export const datasetListItemResponse = datasetResponse
  .extend({
    n_video_frames: z.int(),
    role: z.enum(['owner', 'editor', 'viewer']),
    is_public: z.boolean(),
    thumb_uri: z.string().nullable(),
  })
  .meta({
    id: 'DatasetListItem',
    example: {
      ...example,
      n_video_frames: 0,
      role: 'owner',
      is_public: false,
      thumb_uri: exampleUri('store/thumbs/12.webp'),
    },
  });

export const creationStatusResponse = z
  .object({ status: z.string(), progress: z.int() })
  .meta({ id: 'CreationStatus', example: { status: 'INDEXING', progress: 45 } });
