import { z } from 'zod';
import { booleanText } from '../../../common/platform/http/query-values';

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
  .meta({ id: 'Dataset' });

export const datasetListItemResponse = datasetResponse
  .extend({
    n_video_frames: z.int(),
    role: z.enum(['owner', 'editor', 'viewer']),
    is_public: z.boolean(),
    thumb_uri: z.string().nullable(),
  })
  .meta({ id: 'DatasetListItem' });

export const creationStatusResponse = z
  .object({ status: z.string(), progress: z.int() })
  .meta({ id: 'CreationStatus' });
