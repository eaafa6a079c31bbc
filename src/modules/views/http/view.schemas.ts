import { z } from 'zod';
import { datasetPath, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { MOST_PAGES } from '../../search';

const lowerUuid = uuid.transform((id) => id.toLowerCase());

export const viewPath = datasetPath.extend({ view_id: lowerUuid.describe('The view.') });
export type ViewPath = z.output<typeof viewPath>;

export const viewForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(255, { error: 'Input should be at most 255 characters' })
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: 'Input should hold no control characters' }),
});

export const alertingBody = z.object({ request: z.object({ enabled: z.boolean() }) });
export type AlertingBody = z.output<typeof alertingBody>;

export const resultsQuery = z.object({
  batch_id: lowerUuid.describe('Id of the batch, from a trend point or a notification.'),
  page_number: wholeNumber(0, MOST_PAGES).default(0).describe('From 0.'),
});
export type ResultsQuery = z.output<typeof resultsQuery>;

export const viewResponse = z
  .object({
    id: z.uuid(),
    dataset_id: z.uuid(),
    name: z.string(),
    created_at: z.string(),
    created_by: z.object({ user_id: z.guid(), email: z.string(), name: z.string() }),
    filters: z.object({
      entity_type: z.string(),
      threshold: z.string(),
      caption: z.string().nullable(),
      vql: z.array(z.unknown()),
    }),
    stats: z.object({ n_images: z.int(), n_objects: z.int(), n_video_frames: z.int() }),
    monitoring_enabled: z.boolean(),
    monitoring_started_at: z.string(),
    alerting_enabled: z.boolean(),
    total_results: z.int(),
    last_results: z.string().nullable(),
    evaluation_error: z
      .string()
      .nullable()
      .describe('Why the evaluation of the newest batch failed; null if it succeeded.'),
  })
  .meta({ id: 'SavedView' });
export type ViewResponse = z.infer<typeof viewResponse>;

export const viewsResponse = z.object({ views: z.array(viewResponse) });

export const trendResponse = z
  .object({
    points: z.array(z.object({ timestamp: z.string(), batch_id: z.uuid(), count: z.int(), cumulative: z.int() })),
    total_results: z.int(),
    last_results: z.string().nullable(),
  })
  .meta({ id: 'ViewTrend' });
export type TrendResponse = z.infer<typeof trendResponse>;

export const alertingResponse = z.object({ alerting_enabled: z.boolean() });
