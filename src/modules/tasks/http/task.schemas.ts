import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { timeText, uuid, wholeNumber } from '../../../common/platform/http/query-values';
import { TASK_STATUSES, TASK_TYPES } from '../domain/task';

const period = {
  start_time_from: timeText.optional().describe('Started at this time or later; UTC if no time zone is given.'),
  start_time_to: timeText.optional().describe('Started at this time or before; UTC if no time zone is given.'),
};

export const taskListQuery = z.object({
  dataset_id: uuid.optional().describe('Only of this dataset.'),
  dataset_name: z.string().optional().describe('Only of datasets with this name.'),
  task_type: z
    .enum(TASK_TYPES, { error: `Input should be one of ${TASK_TYPES.join(', ')}` })
    .optional()
    .describe('Only of this type.'),
  task_status: z
    .enum(TASK_STATUSES, { error: `Input should be one of ${TASK_STATUSES.join(', ')}` })
    .optional()
    .describe('Only in this status.'),
  created_by: z.string().optional().describe('Only started by this user (e-mail address).'),
  ...period,
  sort_by: z
    .enum(['start_time', 'status', 'task_type', 'dataset_name', 'dataset_id', 'created_by'], {
      error: 'Input should be start_time, status, task_type, dataset_name, dataset_id or created_by',
    })
    .default('start_time')
    .describe('Field to sort by.'),
  sort_order: z
    .enum(['asc', 'desc'], { error: 'Input should be asc or desc' })
    .default('desc')
    .describe('Sort order: asc or desc.'),
  page: wholeNumber(1, 1_000_000_000).default(1).describe('From 1.'),
  page_size: wholeNumber(5, 50).default(20).describe('Tasks per page, 5 to 50.'),
});
export type TaskListQuery = z.infer<typeof taskListQuery>;

export const taskFiltersQuery = z.object(period);
export type TaskFiltersQuery = z.infer<typeof taskFiltersQuery>;

export const taskPath = z.object({ task_id: uuid.meta({ description: 'The task.', example: EXAMPLE.task }) });
export type TaskPath = z.infer<typeof taskPath>;

export const taskResponse = z
  .object({
    task_id: z.uuid(),
    dataset_id: z.uuid(),
    dataset_name: z.string(),
    dataset_status: z.string(),
    created_by: z.string(),
    task_type: z.enum(TASK_TYPES),
    status: z.enum(TASK_STATUSES),
    status_message: z.string(),
    progress_percentage: z.int().nullable(),
    error_message: z.string().nullable(),
    warnings: z.array(z.string()),
    quarantined_count: z.int(),
    start_time: z.string(),
    end_time: z.string().nullable(),
  })
  .meta({
    id: 'Task',
    example: {
      task_id: EXAMPLE.task,
      dataset_id: EXAMPLE.dataset,
      dataset_name: 'Harbour',
      dataset_status: 'READY',
      created_by: 'ana@example.com',
      task_type: 'DATASET_CREATION',
      status: 'COMPLETED',
      status_message: 'Completed',
      progress_percentage: 100,
      error_message: null,
      warnings: [],
      quarantined_count: 1,
      start_time: '2026-11-24T09:30:00.000000',
      end_time: '2026-11-24T09:32:10.500000',
    },
  });
export type TaskResponse = z.infer<typeof taskResponse>;

export const taskListResponse = z
  .object({ tasks: z.array(taskResponse), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'TaskList', example: { total: 1, page: 1, page_size: 20 } });

export const taskFiltersResponse = z
  .object({
    dataset_names: z.array(z.string()),
    dataset_ids: z.array(z.uuid()),
    task_types: z.array(z.string()),
    created_by: z.array(z.string()),
  })
  .meta({
    id: 'TaskFilters',
    example: {
      dataset_names: ['Harbour'],
      dataset_ids: [EXAMPLE.dataset],
      task_types: ['DATASET_CREATION', 'MEDIA_ADDITION'],
      created_by: ['ana@example.com'],
    },
  });
