import type { ApiClient } from '../support/api-client';
import { formOf } from '../support/api-client';
import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

/** A view to read, and one to delete. */
export async function makeViews(api: ApiClient, dataset: string): Promise<World['views']> {
  const make = async (name: string): Promise<string> =>
    (await api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${dataset}/views`, formOf({ name }))).id;
  return { known: await make('Known'), doomed: await make('Doomed') };
}

const pathOf = (world: World, rest = ''): string => `/api/v1/dataset/${world.ready}/views${rest}`;
const ofKnown = (world: World, rest = ''): string => pathOf(world, `/${world.views.known}${rest}`);
const named = (name: string) => (): FormData => formOf({ name });
const query = (values: Readonly<Record<string, string>>): string => `?${new URLSearchParams(values).toString()}`;

const view = (more: object): unknown =>
  expect.objectContaining({
    id: UUID,
    created_at: TIME,
    created_by: { user_id: UUID, email: 'admin@localhost', name: 'Local Admin' },
    filters: { entity_type: 'IMAGES', threshold: '0', caption: null, vql: [] },
    stats: { n_images: -1, n_objects: -1, n_video_frames: -1 },
    monitoring_enabled: true,
    monitoring_started_at: TIME,
    alerting_enabled: true,
    total_results: 0,
    last_results: null,
    evaluation_error: null,
    n_waiting: 0,
    can_change: true,
    ...more,
  });

const badQueries: readonly [string, Readonly<Record<string, string>>, readonly (string | number)[]][] = [
  ['an unknown entity type', { entity_type: 'CATS' }, ['query', 'entity_type']],
  ['a threshold above 1', { threshold: '2' }, ['query', 'threshold']],
  ['a threshold that is no number', { threshold: 'fine' }, ['query', 'threshold']],
  ['a caption without an entity type', { caption: 'a cat' }, ['query', 'entity_type']],
  ['VQL that is no JSON', { vql: '[' }, ['query', 'vql']],
  ['VQL with an unknown filter', { vql: '[{"cats":{}}]' }, ['query', 'vql', 0, 'cats']],
  ['labels that are no list', { labels: 'dog' }, ['query', 'labels']],
];

/** Cases of a route with an unknown view. */
const unknownView = (rest: string, body?: Case['body']): Case[] => {
  const withBody = body === undefined ? {} : { body };
  const detail = 'View not found';
  return [
    { it: 'rejects an unknown view', path: (world: World) => pathOf(world, `/${NOBODY}${rest}`), status: 404, detail },
    {
      it: 'rejects the view of another dataset',
      path: (world: World) => `/api/v1/dataset/${world.captioned}/views/${world.views.known}${rest}`,
      status: 404,
      detail,
    },
    {
      it: 'requires a UUID for the view',
      path: (world: World) => pathOf(world, `/mine${rest}`),
      status: 422,
      locations: [['path', 'view_id']],
    },
    ...unknownDataset((id) => `/api/v1/dataset/${id}/views/${NOBODY}${rest}`),
  ].map((each) => ({ ...each, ...withBody }));
};

export const VIEWS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/views',
    cases: [
      {
        it: 'saves a view of everything',
        path: (world) => pathOf(world),
        body: named('Everything'),
        status: 200,
        answers: (world) => view({ name: 'Everything', dataset_id: world.ready }),
      },
      {
        it: 'keeps what was asked',
        path: (world) =>
          pathOf(
            world,
            query({
              entity_type: 'OBJECTS',
              threshold: '0.5',
              caption: 'a ball',
              labels: '[ball]',
              vql: '[{"width":{"op":"gt","value":10}}]',
            }),
          ),
        body: named('Balls'),
        status: 200,
        answers: () =>
          view({
            filters: {
              entity_type: 'OBJECTS',
              threshold: '0.5',
              caption: 'a ball',
              vql: [{ width: { op: 'gt', value: 10 } }, { labels: { op: 'one_of', value: ['ball'] } }],
            },
          }),
      },
      {
        it: 'rejects a name that another view has',
        path: (world) => pathOf(world),
        body: named('Known'),
        status: 409,
        detail: "A view named 'Known' already exists in this dataset",
      },
      {
        it: 'requires a name',
        path: (world) => pathOf(world),
        body: () => formOf({ title: 'Nameless' }),
        status: 422,
        locations: [['body', 'name']],
      },
      {
        it: 'rejects an empty name',
        path: (world) => pathOf(world),
        body: named(' '),
        status: 422,
        locations: [['body', 'name']],
      },
      {
        it: 'requires a form',
        path: (world) => pathOf(world),
        body: () => ({ name: 'JSON' }),
        status: 422,
        locations: [['body']],
      },
      ...badQueries.map(([what, values, location]): Case => ({
        it: `rejects ${what}`,
        path: (world) => pathOf(world, query(values)),
        body: named('Never saved'),
        status: 422,
        locations: [location],
      })),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/views`).map((each) => ({ ...each, body: named('Nowhere') })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/views',
    cases: [
      {
        it: 'lists the views, newest first',
        path: (world) => pathOf(world),
        status: 200,
        answers: (world) => ({
          views: expect.arrayContaining([
            view({ id: world.views.known, name: 'Known' }),
            view({ id: world.views.doomed, name: 'Doomed' }),
          ]) as unknown,
        }),
      },
      {
        it: 'lists none',
        path: (world) => `/api/v1/dataset/${world.draft}/views`,
        status: 200,
        answers: () => ({ views: [] }),
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/views`),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}/views/{view_id}',
    cases: [
      {
        it: 'deletes a view',
        path: (world) => pathOf(world, `/${world.views.doomed}`),
        status: 200,
        answers: () => null,
      },
      {
        it: 'deletes it once',
        path: (world) => pathOf(world, `/${world.views.doomed}`),
        status: 404,
        detail: 'View not found',
      },
      ...unknownView(''),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/views/{view_id}/trend',
    cases: [
      {
        it: 'has no points before a batch was added',
        path: (world) => ofKnown(world, '/trend'),
        status: 200,
        answers: () => ({ points: [], total_results: 0, last_results: null }),
      },
      ...unknownView('/trend'),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/views/{view_id}/results',
    cases: [
      {
        it: 'finds nothing in a batch that there is not',
        path: (world) => ofKnown(world, `/results?batch_id=${NOBODY}`),
        status: 200,
        answers: () => expect.objectContaining({ clusters: [], total_pages: 0, current_page: 0 }) as unknown,
      },
      {
        it: 'shows what came with a batch',
        path: (world) => ofKnown(world, `/results?batch_id=${world.completedTask}`),
        status: 200,
        answers: () => expect.objectContaining({ total_pages: 1 }) as unknown,
      },
      {
        it: 'requires a batch',
        path: (world) => ofKnown(world, '/results'),
        status: 422,
        locations: [['query', 'batch_id']],
      },
      {
        it: 'rejects a page before the first',
        path: (world) => ofKnown(world, `/results?batch_id=${NOBODY}&page_number=-1`),
        status: 422,
        locations: [['query', 'page_number']],
      },
      ...unknownView(`/results?batch_id=${NOBODY}`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/views/{view_id}/alerting',
    cases: [
      {
        it: 'turns alerts off',
        path: (world) => ofKnown(world, '/alerting'),
        body: () => ({ request: { enabled: false } }),
        status: 200,
        answers: () => ({ alerting_enabled: false }),
      },
      {
        it: 'turns them on again',
        path: (world) => ofKnown(world, '/alerting'),
        body: () => ({ request: { enabled: true } }),
        status: 200,
        answers: () => ({ alerting_enabled: true }),
      },
      {
        it: 'requires the request around it',
        path: (world) => ofKnown(world, '/alerting'),
        body: () => ({ enabled: true }),
        status: 422,
        locations: [['body', 'request']],
      },
      {
        it: 'requires a boolean',
        path: (world) => ofKnown(world, '/alerting'),
        body: () => ({ request: { enabled: 'yes' } }),
        status: 422,
        locations: [['body', 'request', 'enabled']],
      },
      ...unknownView('/alerting', () => ({ request: { enabled: true } })),
    ],
  },
];
