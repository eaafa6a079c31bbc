import { NOBODY, TIME, type Case, type Route, type World } from './contract-case';

const task = (world: World): unknown => ({
  task_id: world.completedTask,
  dataset_id: world.ready,
  dataset_name: 'Contract',
  dataset_status: 'READY',
  created_by: 'admin@localhost',
  task_type: 'DATASET_CREATION',
  status: 'COMPLETED',
  status_message: 'Completed',
  progress_percentage: 100,
  error_message: null,
  warnings: [],
  quarantined_count: 1,
  start_time: TIME,
  end_time: TIME,
});

export const TASKS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/tasks',
    cases: [
      {
        it: 'returns the tasks of a dataset',
        path: (world) =>
          `/api/v1/tasks?dataset_id=${world.ready}&task_type=DATASET_CREATION&task_status=COMPLETED&created_by=admin@localhost`,
        status: 200,
        answers: (world) => ({ tasks: [task(world)], total: 1, page: 1, page_size: 20 }),
      },
      {
        it: 'returns an empty page beyond the end',
        path: (world) => `/api/v1/tasks?dataset_id=${world.ready}&page=99&page_size=5`,
        status: 200,
        answers: () => ({ tasks: [], total: 1, page: 99, page_size: 5 }),
      },
      {
        it: 'filters by time, with both ends',
        path: (world) =>
          `/api/v1/tasks?dataset_id=${world.ready}&start_time_from=2999-01-01T00:00:00&start_time_to=2999-01-02T00:00:00Z`,
        status: 200,
        answers: () => ({ tasks: [], total: 0, page: 1, page_size: 20 }),
      },
      ...[
        ['page_size=4', 'page_size'],
        ['page_size=51', 'page_size'],
        ['page=0', 'page'],
        ['task_type=NOPE', 'task_type'],
        ['task_status=NOPE', 'task_status'],
        ['sort_by=nope', 'sort_by'],
        ['sort_order=up', 'sort_order'],
        ['start_time_from=yesterday', 'start_time_from'],
        ['dataset_id=nope', 'dataset_id'],
      ].map(([query, name]): Case => ({
        it: `rejects ${query!}`,
        path: () => `/api/v1/tasks?${query!}`,
        status: 422,
        locations: [['query', name!]],
      })),
      {
        it: 'rejects an unknown dataset',
        path: () => `/api/v1/tasks?dataset_id=${NOBODY}`,
        status: 404,
        detail: 'Dataset not found',
      },
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/tasks/filters',
    cases: [
      {
        it: 'returns the values there are',
        path: () => '/api/v1/tasks/filters',
        status: 200,
        answers: (world) => ({
          dataset_names: expect.arrayContaining(['Contract']) as string[],
          dataset_ids: expect.arrayContaining([world.ready]) as string[],
          task_types: expect.arrayContaining(['DATASET_CREATION', 'MEDIA_ADDITION']) as string[],
          created_by: ['admin@localhost'],
        }),
      },
      {
        it: 'requires a time',
        path: () => '/api/v1/tasks/filters?start_time_to=soon',
        status: 422,
        locations: [['query', 'start_time_to']],
      },
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/tasks/{task_id}/abort',
    cases: [
      {
        it: 'does not stop what is over',
        path: (world) => `/api/v1/tasks/${world.completedTask}/abort`,
        status: 409,
        detail: /can't be aborted/,
      },
      {
        it: 'rejects an unknown task',
        path: () => `/api/v1/tasks/${NOBODY}/abort`,
        status: 404,
        detail: 'Task not found',
      },
      { it: 'requires a UUID', path: () => '/api/v1/tasks/x/abort', status: 422, locations: [['path', 'task_id']] },
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/tasks/{task_id}/retry',
    cases: [
      {
        it: 'does not repeat what is done',
        path: (world) => `/api/v1/tasks/${world.completedTask}/retry`,
        status: 400,
        detail: /can be retried/,
      },
      {
        it: 'rejects an unknown task',
        path: () => `/api/v1/tasks/${NOBODY}/retry`,
        status: 404,
        detail: 'Task not found',
      },
      { it: 'requires a UUID', path: () => '/api/v1/tasks/x/retry', status: 422, locations: [['path', 'task_id']] },
    ],
  },
];
