import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import {
  datasetPath,
  formatTimestamp,
  formatTimestampOrNull,
  lowerUuid,
  wholeNumber,
} from '../../../common/platform/http/query-values';
import { MOST_PAGES, savedFilters } from '../../search';
import type { SavedView } from '../domain/saved-view';
import type { Trend } from '../view.reader';

export const presentTrend = ({ view, points }: Trend): TrendResponse => ({
  points: points.map(({ timestamp, batchId, count, cumulative }) => ({
    timestamp: formatTimestamp(timestamp),
    batch_id: batchId,
    count,
    cumulative,
  })),
  total_results: view.totalResults,
  last_results: formatTimestampOrNull(view.lastResults),
});

export const viewPath = datasetPath.extend({
  view_id: lowerUuid.meta({ description: 'The view.', example: EXAMPLE.view }),
});
export type ViewPath = z.output<typeof viewPath>;

export const viewForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(255, { error: 'Input should be at most 255 characters' })
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: 'Input should have no control characters' }),
});

export const alertingBody = z
  .object({ request: z.object({ enabled: z.boolean() }) })
  .meta({ example: { request: { enabled: false } } });
export type AlertingBody = z.output<typeof alertingBody>;

export const resultsQuery = z.object({
  batch_id: lowerUuid.meta({
    description: 'Id of the batch, from a trend point or a notification.',
    example: EXAMPLE.batch,
  }),
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
      vql: savedFilters,
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
    n_waiting: z
      .int()
      .describe(
        'Batches that are not counted yet, because an evaluation that the filters name has to compare them first.',
      ),
    can_change: z
      .boolean()
      .describe(
        'Whether the caller may delete the view and turn its notifications on and off: its creator, and editors.',
      ),
  })
  .meta({
    id: 'SavedView',
    example: {
      id: EXAMPLE.view,
      dataset_id: EXAMPLE.dataset,
      name: 'Boats',
      created_at: '2026-11-24T09:30:00.000000',
      created_by: { user_id: EXAMPLE.member, email: 'ana@example.com', name: 'Ana Lima' },
      filters: {
        entity_type: 'IMAGES',
        threshold: '0',
        caption: null,
        vql: [{ labels: { op: 'one_of', value: ['boat'] } }],
      },
      stats: { n_images: 310, n_objects: 0, n_video_frames: 0 },
      monitoring_enabled: true,
      monitoring_started_at: '2026-11-24T09:30:00.000000',
      alerting_enabled: true,
      total_results: 13,
      last_results: '2026-11-24T09:32:10.500000',
      evaluation_error: null,
      n_waiting: 0,
      can_change: true,
    },
  });
export type ViewResponse = z.infer<typeof viewResponse>;

export const viewsResponse = z.object({ views: z.array(viewResponse) });

export const trendResponse = z
  .object({
    points: z.array(z.object({ timestamp: z.string(), batch_id: z.uuid(), count: z.int(), cumulative: z.int() })),
    total_results: z.int(),
    last_results: z.string().nullable(),
  })
  .meta({
    id: 'ViewTrend',
    example: {
      points: [{ timestamp: '2026-11-24T09:32:10.500000', batch_id: EXAMPLE.batch, count: 13, cumulative: 13 }],
      total_results: 13,
      last_results: '2026-11-24T09:32:10.500000',
    },
  });
export type TrendResponse = z.infer<typeof trendResponse>;

export const alertingResponse = z
  .object({ alerting_enabled: z.boolean() })
  .meta({ example: { alerting_enabled: false } });

export function presentView(
  view: SavedView,
  { canChange, waiting }: { readonly canChange: boolean; readonly waiting: number },
): ViewResponse {
  const { createdBy, search, stats } = view;
  return {
    id: view.id,
    dataset_id: view.datasetId,
    name: view.name,
    created_at: formatTimestamp(view.createdAt),
    created_by: { user_id: createdBy.userId, email: createdBy.email, name: createdBy.name },
    filters: {
      entity_type: search.entityType,
      threshold: search.threshold,
      caption: search.caption,
      vql: [...search.vql],
    },
    stats: { n_images: stats.images, n_objects: stats.objects, n_video_frames: stats.frames },
    monitoring_enabled: view.monitoringEnabled,
    monitoring_started_at: formatTimestamp(view.createdAt),
    alerting_enabled: view.alertingEnabled,
    total_results: view.totalResults,
    last_results: formatTimestampOrNull(view.lastResults),
    evaluation_error: view.evaluationError,
    n_waiting: waiting,
    can_change: canChange,
  };
}
