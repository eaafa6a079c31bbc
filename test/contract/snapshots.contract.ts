import type { ApiClient } from '../support/api-client';
import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

/** Snapshots of the READY dataset, and one of another dataset to be restored and cloned. */
export async function makeSnapshots(api: ApiClient, dataset: string, other: string): Promise<World['snapshots']> {
  const make = async (id: string, name: string): Promise<string> =>
    (await api.must<{ snapshot_id: string }>(200, 'POST', `/api/v1/dataset/${id}/snapshot`, { name })).snapshot_id;
  return {
    doomed: await make(dataset, 'Doomed'),
    known: await make(dataset, 'Known'),
    restorable: await make(other, 'Restorable'),
  };
}

const pathOf = (world: World, rest = ''): string => `/api/v1/dataset/${world.ready}/snapshot${rest}`;
const ofKnown = (world: World, rest = ''): string => pathOf(world, `/${world.snapshots.known}${rest}`);
const ofRestorable = (world: World, rest = ''): string =>
  `/api/v1/dataset/${world.processedDataset}/snapshot/${world.snapshots.restorable}${rest}`;

const snapshot = (more: object): unknown =>
  expect.objectContaining({
    source_dataset_name: 'Contract',
    created_at: TIME,
    created_by: 'admin@localhost',
    n_images: 12,
    n_videos: 0,
    reason: 'manual',
    training_model_id: null,
    training_model_name: null,
    is_restoring: false,
    ...more,
  });

const badWords: readonly [string, object, string][] = [
  ['an empty name', { name: ' ' }, 'name'],
  ['a long name', { name: 'x'.repeat(256) }, 'name'],
  ['a control character', { name: 'a\u0007b' }, 'name'],
  ['a number', { name: 7 }, 'name'],
  ['a list for a description', { description: [] }, 'description'],
];

const refusedWords = (path: (world: World) => string): Case[] =>
  badWords.map(([what, body, field]) => ({
    it: `rejects ${what}`,
    path,
    body: () => body,
    status: 422,
    locations: [['body', field]],
  }));

/** Cases of a route with an unknown snapshot. */
const unknownSnapshot = (rest: string, body?: Case['body']): Case[] => {
  const withBody = body === undefined ? {} : { body };
  const detail = 'Snapshot not found';
  return [
    {
      it: 'rejects an unknown snapshot',
      path: (world) => pathOf(world, `/${NOBODY}${rest}`),
      ...withBody,
      status: 404,
      detail,
    },
    {
      it: 'rejects the snapshot of another dataset',
      path: (world) => `/api/v1/dataset/${world.captioned}/snapshot/${world.snapshots.known}${rest}`,
      ...withBody,
      status: 404,
      detail,
    },
    {
      it: 'requires a UUID for the snapshot',
      path: (world) => pathOf(world, `/latest${rest}`),
      ...withBody,
      status: 422,
      locations: [['path', 'snapshot_id']],
    },
    ...unknownDataset((id) => `/api/v1/dataset/${id}/snapshot/${NOBODY}${rest}`).map((each) => ({
      ...each,
      ...withBody,
    })),
  ];
};

const NOTHING = { count: 0, media_ids: [] };

export const SNAPSHOTS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/snapshot',
    cases: [
      {
        it: 'returns the snapshots',
        path: (world) => pathOf(world),
        status: 200,
        answers: ({ snapshots }) =>
          expect.arrayContaining([
            snapshot({ snapshot_id: snapshots.known, snapshot_name: 'Known', is_current: true }),
            snapshot({ snapshot_id: snapshots.doomed, snapshot_name: 'Doomed', is_current: false }),
          ]) as unknown,
      },
      {
        it: 'has none for a draft',
        path: ({ draft }) => `/api/v1/dataset/${draft}/snapshot`,
        status: 200,
        answers: () => [],
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/snapshot`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/snapshot',
    cases: [
      {
        it: 'makes one with a name of its own',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/snapshot`,
        status: 200,
        answers: () =>
          snapshot({
            snapshot_id: UUID,
            snapshot_name: expect.stringMatching(/^Captioned_snapshot_[0-9a-f-]{36}$/) as unknown,
            source_dataset_name: 'Captioned',
            n_images: expect.any(Number) as unknown,
            description: '',
            is_current: true,
          }),
      },
      {
        it: 'makes one with a name and a description',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/snapshot`,
        body: () => ({ name: ' v1 ', description: 'two\nlines' }),
        status: 200,
        answers: () =>
          expect.objectContaining({ snapshot_name: 'v1', description: 'two\nlines', is_current: true }) as unknown,
      },
      {
        it: 'requires a dataset that is READY',
        path: ({ draft }) => `/api/v1/dataset/${draft}/snapshot`,
        status: 409,
        detail: "Operation 'snapshot' needs a dataset that is READY; this one is DRAFT",
      },
      ...refusedWords((world) => pathOf(world)),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/snapshot`),
    ],
  },
  {
    method: 'PATCH',
    route: '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}',
    cases: [
      {
        it: 'renames',
        path: (world) => ofKnown(world),
        body: () => ({ name: 'Renamed' }),
        status: 200,
        answers: ({ snapshots }) =>
          snapshot({ snapshot_id: snapshots.known, snapshot_name: 'Renamed', description: '', is_current: true }),
      },
      {
        it: 'describes',
        path: (world) => ofKnown(world),
        body: () => ({ description: 'before the cleaning' }),
        status: 200,
        answers: () => snapshot({ snapshot_name: 'Renamed', description: 'before the cleaning' }),
      },
      {
        it: 'empties the description',
        path: (world) => ofKnown(world),
        body: () => ({ description: '', name: 'Known' }),
        status: 200,
        answers: () => snapshot({ snapshot_name: 'Known', description: '' }),
      },
      {
        it: 'requires one of both',
        path: (world) => ofKnown(world),
        body: () => ({}),
        status: 422,
        locations: [['body']],
      },
      ...refusedWords((world) => ofKnown(world)),
      ...unknownSnapshot('', () => ({ name: 'x' })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}/diff',
    cases: [
      {
        it: 'finds nothing where nothing changed',
        path: (world) => ofRestorable(world, '/diff'),
        status: 200,
        answers: ({ snapshots }) => ({
          snapshot_id: snapshots.restorable,
          against: null,
          added: NOTHING,
          removed: NOTHING,
          changed: { labels: NOTHING, tags: NOTHING, captions: NOTHING },
          annotations: [],
          limit: 1000,
          offset: 0,
        }),
      },
      {
        it: 'compares with another snapshot',
        path: (world) => ofKnown(world, `/diff?against=${world.snapshots.doomed}&limit=5&offset=2`),
        status: 200,
        answers: ({ snapshots }) =>
          expect.objectContaining({ against: snapshots.doomed, added: NOTHING, limit: 5, offset: 2 }) as unknown,
      },
      {
        it: 'does not know what to compare with',
        path: (world) => ofKnown(world, `/diff?against=${NOBODY}`),
        status: 404,
        detail: 'Snapshot not found',
      },
      ...['limit=10001', 'limit=-1', 'offset=-1', 'against=now'].map((query): Case => ({
        it: `rejects ${query}`,
        path: (world) => ofKnown(world, `/diff?${query}`),
        status: 422,
        locations: [['query', query.split('=')[0]!]],
      })),
      ...unknownSnapshot('/diff'),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}',
    cases: [
      {
        it: 'keeps the current one',
        path: (world) => ofKnown(world),
        status: 409,
        detail: 'The current snapshot cannot be deleted',
      },
      {
        it: 'deletes another',
        path: (world) => pathOf(world, `/${world.snapshots.doomed}`),
        status: 200,
        answers: () => '',
      },
      {
        it: 'does not know it afterwards',
        path: (world) => pathOf(world, `/${world.snapshots.doomed}`),
        status: 404,
        detail: 'Snapshot not found',
      },
      ...unknownSnapshot(''),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}/clone',
    cases: [
      { it: 'accepts', path: (world) => ofRestorable(world, '/clone'), status: 202, answers: () => '' },
      {
        it: 'accepts one with views',
        path: (world) => ofRestorable(world, '/clone?with_views=true'),
        status: 202,
        answers: () => '',
      },
      {
        it: 'requires to be told plainly whether with views',
        path: (world) => ofRestorable(world, '/clone?with_views=perhaps'),
        status: 422,
        locations: [['query', 'with_views']],
      },
      ...unknownSnapshot('/clone'),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}/restore',
    cases: [
      { it: 'accepts', path: (world) => ofRestorable(world, '/restore'), status: 202, answers: () => '' },
      {
        it: 'knows none that is current in a draft',
        path: ({ draft }) => `/api/v1/dataset/${draft}/snapshot/current/restore`,
        status: 404,
        detail: 'Snapshot not found',
      },
      ...unknownSnapshot('/restore'),
    ],
  },
];
