import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const pathOf = (dataset: string, rest: string): string => `/api/v1/dataset/${dataset}/${rest}`;
const whole = (query: string) => (world: World) => pathOf(world.captioned, `export_context_async?${query}`);
const entities = (world: World): string => pathOf(world.captioned, 'export_entities_async?export_format=json');
const select = (...items: object[]) => ({ media_selection: items });
const media = (...ids: unknown[]) => ({ type: 'media', payload: { media_ids: ids } });

const begun = (entitiesCount: unknown, dataset: string): unknown => ({
  id: UUID,
  dataset_id: dataset,
  created_at: TIME,
  download_uri: null,
  progress: 0,
  status: 'INIT',
  entities_count: entitiesCount,
  result_message: null,
});

const notReady = (rest: string, body?: Case['body']): Case => ({
  it: 'needs a dataset that is READY',
  path: (world) => pathOf(world.partial, rest),
  ...(body === undefined ? {} : { body }),
  status: 409,
  detail: "Operation 'export' needs a dataset that is READY; this one is PARTIAL INDEX",
});

const unknownTask: readonly Case[] = [
  {
    it: 'rejects an unknown export',
    path: (world) => pathOf(world.ready, `export_status?export_task_id=${NOBODY}`),
    status: 404,
    detail: 'Export task not found',
  },
  {
    it: 'rejects a task that is not an export',
    path: (world) => pathOf(world.ready, `export_status?export_task_id=${world.completedTask}`),
    status: 404,
    detail: 'Export task not found',
  },
  {
    it: 'requires the UUID of an export',
    path: (world) => pathOf(world.ready, 'export_status?export_task_id=x'),
    status: 422,
    locations: [['query', 'export_task_id']],
  },
  ...unknownDataset((id) => pathOf(id, `export_status?export_task_id=${NOBODY}`)),
];

const badQueries: readonly [string, string, string][] = [
  ['a name', 'export_format=json', 'file_name'],
  ['a name that is one', 'file_name=a/b&export_format=json', 'file_name'],
  ['a format', 'file_name=a', 'export_format'],
  ['a format that it knows', 'file_name=a&export_format=xml', 'export_format'],
  ['images for class folders', 'file_name=a&export_format=class_folders', 'include_images'],
  ['vectors only in Parquet', 'file_name=a&export_format=csv&with_embeddings=true', 'with_embeddings'],
  ['a flag that is one', 'file_name=a&export_format=json&include_images=perhaps', 'include_images'],
];

export const EXPORT_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/export_context_async',
    cases: [
      {
        it: 'returns the task',
        path: whole('file_name=all&export_format=parquet&include_images=true'),
        status: 200,
        answers: (world) => begun(6, world.captioned),
      },
      ...badQueries.map(([what, query, location]): Case => ({
        it: `requires ${what}`,
        path: whole(query),
        status: 422,
        locations: [['query', location]],
      })),
      {
        it: 'rejects an unknown source',
        path: whole('file_name=all&export_format=voc&source=nobody'),
        status: 404,
        detail: "Annotation source 'nobody' not found",
      },
      notReady('export_context_async?file_name=all&export_format=json'),
      ...unknownDataset((id) => pathOf(id, 'export_context_async?file_name=all&export_format=json')),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/export_entities_async',
    cases: [
      {
        it: 'returns the task',
        path: (world) => pathOf(world.ready, 'export_entities_async?export_format=csv'),
        body: ({ tags }) => select(media(tags.media, tags.media)),
        status: 200,
        answers: (world) => begun(1, world.ready),
      },
      {
        it: 'rejects an empty selection',
        path: entities,
        body: () => select(),
        status: 400,
        detail: 'The selection names no media and no cluster',
      },
      {
        it: 'rejects unknown media',
        path: entities,
        body: () => select(media(NOBODY)),
        status: 404,
        detail: `Media ${NOBODY} not found`,
      },
      {
        it: 'rejects an unknown cluster',
        path: entities,
        body: () => select({ type: 'cluster', payload: { cluster_id: NOBODY } }),
        status: 404,
        detail: `Cluster ${NOBODY} not found`,
      },
      {
        it: 'requires media that are UUIDs',
        path: entities,
        body: () => select(media('x')),
        status: 422,
        locations: [['body', 'media_selection', 0, 'payload', 'media_ids', 0]],
      },
      {
        it: 'requires a format',
        path: (world) => pathOf(world.captioned, 'export_entities_async'),
        body: () => select(media(NOBODY)),
        status: 422,
        locations: [['query', 'export_format']],
      },
      notReady('export_entities_async?export_format=json', () => select(media(NOBODY))),
      ...unknownDataset((id) => pathOf(id, 'export_entities_async?export_format=json')).map((each) => ({
        ...each,
        body: () => select(media(NOBODY)),
      })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/export_preview',
    cases: [
      {
        it: 'counts what the format cannot hold',
        path: (world) => pathOf(world.captioned, 'export_preview?export_format=json'),
        status: 200,
        answers: () => ({ losses: [], n_media: 6, n_annotations: expect.any(Number) as number }),
      },
      {
        it: 'rejects an unknown source',
        path: (world) => pathOf(world.captioned, 'export_preview?export_format=voc&source=nobody'),
        status: 404,
        detail: "Annotation source 'nobody' not found",
      },
      {
        it: 'requires a format',
        path: (world) => pathOf(world.captioned, 'export_preview'),
        status: 422,
        locations: [['query', 'export_format']],
      },
      notReady('export_preview?export_format=voc'),
      ...unknownDataset((id) => pathOf(id, 'export_preview?export_format=voc')),
    ],
  },
  { method: 'GET', route: '/api/v1/dataset/{dataset_id}/export_status', cases: unknownTask },
  { method: 'DELETE', route: '/api/v1/dataset/{dataset_id}/export_status', cases: unknownTask },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/export_media_id',
    cases: [
      {
        it: 'answers CSV',
        path: (world) => pathOf(world.captioned, 'export_media_id'),
        status: 200,
        answers: () => expect.stringMatching(/^filename,media_id\n([^\n]+,[0-9a-f-]{36}\n){6}$/) as string,
      },
      notReady('export_media_id'),
      ...unknownDataset((id) => pathOf(id, 'export_media_id')),
    ],
  },
];
