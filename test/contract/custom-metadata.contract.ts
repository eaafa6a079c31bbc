import { filesForm, type ApiClient } from '../support/api-client';
import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const pathOf = (id: string, rest: string): string => `/api/v1/datasets/${id}/custom_metadata/${rest}`;
const tasksOf = ({ fields }: World): string => pathOf(fields.dataset, 'tasks');
const taskOf = (world: World, id: string, rest = ''): string => `${tasksOf(world)}/${id}${rest}`;

const WEATHER = { field_name: 'weather', field_type: 'enum', enum_options: ['sun', 'rain'] };

/** A dataset with two declared fields, one of which has a value. */
export async function makeFields(api: ApiClient, dataset: string): Promise<World['fields']> {
  const declare = async (body: object): Promise<string> =>
    (await api.must<{ task_id: string }>(200, 'POST', pathOf(dataset, 'tasks'), body)).task_id;
  const { clusters } = await api.must<{ clusters: { previews: { media_id: string }[] }[] }>(
    200,
    'GET',
    `/api/v1/explore/${dataset}?entity_type=IMAGES`,
  );
  const media = clusters[0]!.previews[0]!.media_id;
  const [sent, declared] = [await declare(WEATHER), await declare({ field_name: 'site', field_type: 'string' })];
  await api.must(202, 'POST', pathOf(dataset, `tasks/${sent}`), [
    { media_id: media, value: 'sun' },
    { media_id: media, value: 'rain' },
  ]);
  await api.untilStatus(dataset, ['READY']);
  return { dataset, declared, sent, media };
}

const badFields: readonly [string, object, (string | number)[]][] = [
  ['a name', { field_name: ' ', field_type: 'float' }, ['field_name']],
  ['a name of at most 100 characters', { field_name: 'a'.repeat(101), field_type: 'float' }, ['field_name']],
  ['a name without NUL', { field_name: 'a\0', field_type: 'float' }, ['field_name']],
  ['a type that it knows', { field_name: 'a', field_type: 'colour' }, ['field_type']],
  ['the options of an enum', { field_name: 'a', field_type: 'enum' }, ['enum_options']],
  ['no options of other types', { ...WEATHER, field_name: 'a', field_type: 'string' }, ['enum_options']],
  ['short options', { ...WEATHER, enum_options: ['b'.repeat(21)] }, ['enum_options', 0]],
  ['options that differ', { ...WEATHER, enum_options: ['a', 'a'] }, ['enum_options']],
  ['an enum for several options', { field_name: 'a', field_type: 'float', is_multi: true }, ['is_multi']],
];

const otherTask = (path: (world: World, id: string) => string, body?: () => object): Case => ({
  it: 'rejects an unknown task',
  path: (world) => path(world, NOBODY),
  ...(body && { body }),
  status: 404,
  detail: 'Custom metadata task not found',
});

export const CUSTOM_METADATA_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/datasets/{dataset_id}/custom_metadata/schema',
    cases: [
      {
        it: 'lists the fields by name',
        path: ({ fields }) => pathOf(fields.dataset, 'schema'),
        status: 200,
        answers: () =>
          expect.arrayContaining([
            { field_name: 'site', field_type: 'string', enum_options: null, is_multi: false },
            { ...WEATHER, is_multi: false },
          ]) as unknown,
      },
      ...unknownDataset((id) => pathOf(id, 'schema')),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/datasets/{dataset_id}/custom_metadata/tasks',
    cases: [
      {
        it: 'declares a field',
        path: tasksOf,
        body: () => ({ field_name: '__proto__', field_type: 'link' }),
        status: 200,
        answers: () => ({ task_id: UUID, status: 'INIT' }),
      },
      {
        it: 'declares each name once',
        path: tasksOf,
        body: () => ({ field_name: ' site ', field_type: 'float' }),
        status: 409,
        detail:
          'The field "site" already exists with the type string. Send its values as annotations, or choose another name.',
      },
      {
        it: 'rejects a dataset that is not READY',
        path: ({ draft }) => pathOf(draft, 'tasks'),
        body: () => WEATHER,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY; this one is DRAFT",
      },
      ...badFields.map(([what, body, location]): Case => ({
        it: `requires ${what}`,
        path: tasksOf,
        body: () => body,
        status: 422,
        locations: [['body', ...location]],
      })),
      ...unknownDataset((id) => pathOf(id, 'tasks')).map((each): Case => ({ ...each, body: () => WEATHER })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/datasets/{dataset_id}/custom_metadata/tasks/{task_id}',
    cases: [
      {
        it: 'requires a list',
        path: (world) => taskOf(world, world.fields.declared),
        body: () => ({ media_id: NOBODY, value: 'a' }),
        status: 422,
        locations: [['body']],
      },
      {
        it: 'requires a file of a form',
        path: (world) => taskOf(world, world.fields.declared),
        body: () => filesForm([{ name: 'a.json', bytes: Buffer.from('[]') }], 'values'),
        status: 422,
        locations: [['body', 'values']],
      },
      {
        it: 'requires a file of JSON',
        path: (world) => taskOf(world, world.fields.declared),
        body: () => filesForm([{ name: 'a.json', bytes: Buffer.from('[') }], 'file'),
        status: 422,
        locations: [['body']],
      },
      {
        it: 'takes values once',
        path: (world) => taskOf(world, world.fields.sent),
        body: () => [],
        status: 409,
        detail: 'This task has values already. Send further values as annotations.',
      },
      {
        it: 'takes values, of which none is of the dataset',
        path: (world) => taskOf(world, world.fields.declared),
        body: () => filesForm([{ name: 'a.json', bytes: Buffer.from(JSON.stringify([7])) }], 'file'),
        status: 202,
        answers: ({ fields }) => ({ task_id: fields.declared, status: 'RUNNING' }),
      },
      otherTask(taskOf, () => []),
      ...unknownDataset((id) => pathOf(id, `tasks/${NOBODY}`)).map((each): Case => ({ ...each, body: () => [] })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/datasets/{dataset_id}/custom_metadata/tasks/{task_id}/status',
    cases: [
      {
        it: 'counts rows and errors',
        path: (world) => taskOf(world, world.fields.sent, '/status'),
        status: 200,
        answers: ({ fields: { sent, media } }) => ({
          task_id: sent,
          status: 'COMPLETED_WITH_ERRORS',
          progress: 100,
          inserted_rows: 1,
          error_count: 1,
          sample_errors: [{ reason: `The media_id ${media} is in an earlier row, too.`, row_index: 1 }],
        }),
      },
      otherTask((world, id) => taskOf(world, id, '/status')),
      ...unknownDataset((id) => pathOf(id, `tasks/${NOBODY}/status`)),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/datasets/{dataset_id}/image/{image_id}/custom_metadata',
    cases: [
      {
        it: 'returns the fields of an image',
        path: ({ fields }) => `/api/v1/datasets/${fields.dataset}/image/${fields.media}/custom_metadata`,
        status: 200,
        answers: () => [{ field_name: 'weather', field_type: 'enum', value: 'sun' }],
      },
      {
        it: 'rejects an unknown image',
        path: ({ fields }) => `/api/v1/datasets/${fields.dataset}/image/${NOBODY}/custom_metadata`,
        status: 404,
        detail: 'Media not found',
      },
      ...unknownDataset((id) => `/api/v1/datasets/${id}/image/${NOBODY}/custom_metadata`),
    ],
  },
];
