import type { ApiClient } from '../support/api-client';
import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

/** The only host to which the tested service may send webhooks. */
export const WEBHOOK_HOSTS = 'hooks.invalid';

const URL_OF_HOOKS = 'https://hooks.invalid/dms?team=1';

/** A webhook to read, and one to delete. */
export async function makeWebhooks(api: ApiClient, dataset: string): Promise<World['webhooks']> {
  const make = async (): Promise<string> => {
    const body = { url: URL_OF_HOOKS, events: ['task.failed'] };
    return (await api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${dataset}/webhooks`, body)).id;
  };
  return { known: await make(), doomed: await make() };
}

const pathOf = (world: World, rest = ''): string => `/api/v1/dataset/${world.ready}/webhooks${rest}`;
const ofKnown = (world: World, rest = ''): string => pathOf(world, `/${world.webhooks.known}${rest}`);

const webhook = (world: World, more: object = {}): object => ({
  id: UUID,
  dataset_id: world.ready,
  view_id: null,
  url: URL_OF_HOOKS,
  events: ['task.failed'],
  created_at: TIME,
  created_by: 'admin@localhost',
  stopped_reason: null,
  ...more,
});

const SECRET = expect.stringMatching(/^whsec_[\w-]{43}$/) as string;
const EVERYTHING = ['view.matched', 'task.completed', 'task.failed', 'snapshot.created', 'annotations.changed'];

const badBodies: readonly [string, object, readonly (string | number)[]][] = [
  ['nothing to call', { events: EVERYTHING }, ['body', 'url']],
  ['what is no URL', { url: 'hooks', events: EVERYTHING }, ['body', 'url']],
  ['another protocol', { url: 'ftp://hooks.invalid/', events: EVERYTHING }, ['body', 'url']],
  ['credentials in the URL', { url: 'https://me:pass@hooks.invalid/', events: EVERYTHING }, ['body', 'url']],
  ['a very long URL', { url: `https://hooks.invalid/${'a'.repeat(2048)}`, events: EVERYTHING }, ['body', 'url']],
  ['no events', { url: URL_OF_HOOKS }, ['body', 'events']],
  ['an empty list of events', { url: URL_OF_HOOKS, events: [] }, ['body', 'events']],
  ['an unknown event', { url: URL_OF_HOOKS, events: ['task.started'] }, ['body', 'events', 0]],
  ['a view that is no UUID', { url: URL_OF_HOOKS, events: ['view.matched'], view_id: 'mine' }, ['body', 'view_id']],
  [
    'other events than those of the view',
    { url: URL_OF_HOOKS, events: ['view.matched', 'task.failed'], view_id: NOBODY },
    ['body', 'events'],
  ],
];

/** Cases of a route with an unknown webhook. */
const unknownWebhook = (rest = ''): Case[] => [
  {
    it: 'rejects an unknown webhook',
    path: (world) => pathOf(world, `/${NOBODY}${rest}`),
    status: 404,
    detail: 'Webhook not found',
  },
  {
    it: 'rejects the webhook of another dataset',
    path: (world) => `/api/v1/dataset/${world.captioned}/webhooks/${world.webhooks.known}${rest}`,
    status: 404,
    detail: 'Webhook not found',
  },
  {
    it: 'requires a UUID for the webhook',
    path: (world) => pathOf(world, `/mine${rest}`),
    status: 422,
    locations: [['path', 'webhook_id']],
  },
  ...unknownDataset((id) => `/api/v1/dataset/${id}/webhooks/${NOBODY}${rest}`),
];

export const WEBHOOKS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/webhooks',
    cases: [
      {
        it: 'makes one, and shows its secret',
        path: (world) => pathOf(world),
        body: () => ({ url: ` ${URL_OF_HOOKS}#part`, events: [...EVERYTHING, 'task.failed'] }),
        status: 200,
        answers: (world) => webhook(world, { events: EVERYTHING, secret: SECRET }),
      },
      {
        it: 'makes one for a view',
        path: (world) => pathOf(world),
        body: ({ views }) => ({ url: URL_OF_HOOKS, events: ['view.matched'], view_id: views.known.toUpperCase() }),
        status: 200,
        answers: (world) => webhook(world, { events: ['view.matched'], view_id: world.views.known, secret: SECRET }),
      },
      {
        it: 'rejects a host that the operator does not allow',
        path: (world) => pathOf(world),
        body: () => ({ url: 'http://169.254.169.254/latest/meta-data', events: EVERYTHING }),
        status: 400,
        detail: 'Webhooks may not call 169.254.169.254: it is not among the hosts of WEBHOOK_HOSTS',
      },
      {
        it: 'rejects an unknown view',
        path: (world) => pathOf(world),
        body: () => ({ url: URL_OF_HOOKS, events: ['view.matched'], view_id: NOBODY }),
        status: 404,
        detail: 'View not found',
      },
      {
        it: 'rejects the view of another dataset',
        path: (world) => `/api/v1/dataset/${world.captioned}/webhooks`,
        body: ({ views }) => ({ url: URL_OF_HOOKS, events: ['view.matched'], view_id: views.known }),
        status: 404,
        detail: 'View not found',
      },
      ...badBodies.map(([what, body, location]): Case => ({
        it: `rejects ${what}`,
        path: (world) => pathOf(world),
        body: () => body,
        status: 422,
        locations: [location],
      })),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/webhooks`).map((each) => ({
        ...each,
        body: () => ({ url: URL_OF_HOOKS, events: EVERYTHING }),
      })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/webhooks',
    cases: [
      {
        it: 'lists those of the dataset, without their secrets',
        path: (world) => pathOf(world),
        status: 200,
        answers: (world) => ({ webhooks: expect.arrayContaining([webhook(world)]) as unknown }),
      },
      {
        it: 'lists none where there are none',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/webhooks`,
        status: 200,
        answers: () => ({ webhooks: [] }),
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/webhooks`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}',
    cases: [
      {
        it: 'shows one, without its secret',
        path: (world) => ofKnown(world),
        status: 200,
        answers: (world) => webhook(world, { id: world.webhooks.known }),
      },
      ...unknownWebhook(),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}/deliveries',
    cases: [
      {
        it: 'lists none where nothing happened',
        path: (world) => ofKnown(world, '/deliveries?limit=100&offset=0'),
        status: 200,
        answers: () => ({ deliveries: [], total: 0, has_more: false }),
      },
      {
        it: 'rejects a limit of 0',
        path: (world) => ofKnown(world, '/deliveries?limit=0'),
        status: 422,
        locations: [['query', 'limit']],
      },
      {
        it: 'rejects an offset below 0',
        path: (world) => ofKnown(world, '/deliveries?offset=-1'),
        status: 422,
        locations: [['query', 'offset']],
      },
      ...unknownWebhook('/deliveries'),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}/webhooks/{webhook_id}',
    cases: [
      {
        it: 'deletes one',
        path: (world) => pathOf(world, `/${world.webhooks.doomed}`),
        status: 200,
        answers: () => null,
      },
      {
        it: 'has deleted it',
        path: (world) => pathOf(world, `/${world.webhooks.doomed}`),
        status: 404,
        detail: 'Webhook not found',
      },
      ...unknownWebhook(),
    ],
  },
];
