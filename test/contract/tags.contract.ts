import type { ApiClient } from '../support/api-client';
import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

interface Cluster {
  readonly cluster_id: string;
  readonly n_images: number;
  readonly previews: { readonly media_id: string }[];
}

/** Tags of the READY dataset, and objects that can be tagged in it. */
export async function makeTags(api: ApiClient, dataset: string): Promise<World['tags']> {
  const make = async (name: string): Promise<string> =>
    (await api.must<{ id: string }>(200, 'POST', `/api/v1/dataset/${dataset}/tags`, { name })).id;
  const { clusters } = await api.must<{ clusters: Cluster[] }>(200, 'GET', `/api/v1/explore/${dataset}?threshold=4`);
  const [{ cluster_id: cluster, n_images: clusterSize, previews }] = clusters as [Cluster];
  return {
    known: await make('Known'),
    other: await make('Other'),
    doomed: await make('Doomed'),
    cluster,
    clusterSize,
    media: previews[0]!.media_id,
    otherMedia: previews[1]!.media_id,
  };
}

const pathOf = (world: World, rest = ''): string => `/api/v1/dataset/${world.ready}/tags${rest}`;
const ofKnown = (world: World, rest = ''): string => pathOf(world, `/${world.tags.known}${rest}`);
const media = (...ids: unknown[]) => ({ type: 'media', payload: { media_ids: ids } });
const cluster = (id: string, more: object = {}) => ({ type: 'cluster', payload: { cluster_id: id, ...more } });

const badNames: readonly [string, object][] = [
  ['no name', {}],
  ['an empty name', { name: ' ' }],
  ['a long name', { name: 'x'.repeat(256) }],
  ['a control character', { name: 'a\u0007b' }],
  ['half a character', { name: '\ud83d' }],
  ['a number', { name: 7 }],
];

const refusedNames = (path: (world: World) => string): Case[] =>
  badNames.map(([what, body]) => ({
    it: `rejects ${what}`,
    path,
    body: () => body,
    status: 422,
    locations: [['body', 'name']],
  }));

/** Cases of a route with an unknown tag. */
const unknownTag = (rest: string, body?: Case['body']): Case[] => {
  const withBody = body === undefined ? {} : { body };
  return [
    {
      it: 'rejects an unknown tag',
      path: (world) => pathOf(world, `/${NOBODY}${rest}`),
      ...withBody,
      status: 404,
      detail: 'Tag not found',
    },
    {
      it: 'requires the UUID of a tag',
      path: (world) => pathOf(world, `/x${rest}`),
      ...withBody,
      status: 422,
      locations: [['path', 'tag_id']],
    },
    {
      it: 'needs a dataset that is indexed',
      path: (world) => `/api/v1/dataset/${world.draft}/tags/${NOBODY}${rest}`,
      ...withBody,
      status: 409,
      detail: /^Operation '\w+' needs a dataset that is READY or PARTIAL INDEX; this one is DRAFT$/,
    },
    ...unknownDataset((id) => `/api/v1/dataset/${id}/tags/${NOBODY}${rest}`).map((each) => ({ ...each, ...withBody })),
  ];
};

const badSelections: readonly [string, unknown, readonly (string | number)[]][] = [
  ['no selection', undefined, []],
  ['no list', {}, []],
  ['another type', [{ type: 'folder', payload: {} }], [0, 'type']],
  ['no payload', [{ type: 'media' }], [0, 'payload']],
  ['no media', [{ type: 'media', payload: {} }], [0, 'payload', 'media_ids']],
  ['media that are no list', [{ type: 'media', payload: { media_ids: NOBODY } }], [0, 'payload', 'media_ids']],
  ['media that are no UUID', [media(NOBODY, 'x', 'y')], [0, 'payload', 'media_ids', 1]],
  ['a cluster that is no UUID', [media(NOBODY), cluster('x')], [1, 'payload', 'cluster_id']],
  [
    'filters that explore would refuse',
    [cluster(NOBODY, { cluster_filters: { entity_type: 'THINGS' } })],
    [0, 'payload', 'cluster_filters', 'entity_type'],
  ],
  [
    'filters that explore does not have',
    [cluster(NOBODY, { cluster_filters: { label: '[a]' } })],
    [0, 'payload', 'cluster_filters'],
  ],
  ['a wrong exception', [cluster(NOBODY, { exclude_media_ids: [1] })], [0, 'payload', 'exclude_media_ids', 0]],
];

const selecting = (verb: 'assign' | 'unassign'): Case[] => {
  const path = (world: World): string => ofKnown(world, `/${verb}`);
  const select = (...items: object[]) => ({ media_selection: items });
  return [
    {
      it: 'rejects an empty selection',
      path,
      body: () => select(),
      status: 400,
      detail: 'The selection names no media and no cluster',
    },
    {
      it: 'rejects a list of no media',
      path,
      body: () => select(media()),
      status: 400,
      detail: 'The selection names no media and no cluster',
    },
    {
      it: 'rejects unknown media',
      path,
      body: (world) => select(media(world.tags.media, NOBODY)),
      status: 404,
      detail: `Media ${NOBODY} not found`,
    },
    {
      it: 'rejects an unknown cluster',
      path,
      body: (world) => select(cluster(world.tags.cluster), cluster(NOBODY)),
      status: 404,
      detail: `Cluster ${NOBODY} not found`,
    },
    ...badSelections.map(([what, selection, location]): Case => ({
      it: `rejects ${what}`,
      path,
      body: () => ({ media_selection: selection }),
      status: 422,
      locations: [['body', 'media_selection', ...location]],
    })),
    ...unknownTag(`/${verb}`, (world) => select(media(world.tags.media))),
  ];
};

export const TAGS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/tags',
    cases: [
      {
        it: 'returns the tags by name',
        path: (world) => pathOf(world),
        status: 200,
        answers: ({ tags }) => ({
          tags: [
            { id: tags.doomed, name: 'Doomed', n_items: 0 },
            { id: tags.known, name: 'Known', n_items: 0 },
            { id: tags.other, name: 'Other', n_items: 0 },
          ],
        }),
      },
      {
        it: 'is empty for a draft',
        path: (world) => `/api/v1/dataset/${world.draft}/tags`,
        status: 200,
        answers: () => ({ tags: [] }),
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/tags`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/tags',
    cases: [
      {
        it: 'makes a tag',
        path: (world) => pathOf(world),
        body: () => ({ name: ' Très bien 🐕‍🦺 ' }),
        status: 200,
        answers: () => ({ id: UUID, name: 'Très bien 🐕‍🦺', n_items: 0 }),
      },
      {
        it: 'rejects a name that is taken, whatever the capitals',
        path: (world) => pathOf(world),
        body: () => ({ name: 'KNOWN' }),
        status: 409,
        detail: "A tag named 'KNOWN' already exists in this dataset",
      },
      ...refusedNames((world) => pathOf(world)),
      {
        it: 'needs a dataset that is indexed',
        path: (world) => `/api/v1/dataset/${world.draft}/tags`,
        body: () => ({ name: 'Early' }),
        status: 409,
        detail: "Operation 'create_tag' needs a dataset that is READY or PARTIAL INDEX; this one is DRAFT",
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/tags`).map((each) => ({ ...each, body: () => ({ name: 'a' }) })),
    ],
  },
  {
    method: 'PATCH',
    route: '/api/v1/dataset/{dataset_id}/tags/{tag_id}',
    cases: [
      {
        it: 'renames a tag',
        path: (world) => ofKnown(world),
        body: () => ({ name: 'known' }),
        status: 200,
        answers: ({ tags }) => ({ id: tags.known, name: 'known', n_items: 0 }),
      },
      {
        it: 'rejects a name that is taken',
        path: (world) => ofKnown(world),
        body: () => ({ name: 'other' }),
        status: 409,
        detail: "A tag named 'other' already exists in this dataset",
      },
      ...refusedNames((world) => ofKnown(world)),
      ...unknownTag('', () => ({ name: 'a' })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/tags/{tag_id}/assign',
    cases: [
      {
        it: 'tags media and clusters, each item once',
        path: (world) => ofKnown(world, '/assign'),
        body: ({ tags }) => ({ media_selection: [media(tags.media), cluster(tags.cluster)] }),
        status: 200,
        answers: ({ tags }) => ({ count: tags.clusterSize }),
      },
      {
        it: 'counts only what was not tagged before',
        path: (world) => ofKnown(world, '/assign'),
        body: ({ tags }) => ({ media_selection: [media(tags.media)] }),
        status: 200,
        answers: () => ({ count: 0 }),
      },
      ...selecting('assign'),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/tags/{tag_id}/unassign',
    cases: [
      {
        it: 'takes the tag off a cluster but for what is left out',
        path: (world) => ofKnown(world, '/unassign'),
        body: ({ tags }) => ({
          media_selection: [
            cluster(tags.cluster, { cluster_filters: { entity_type: 'IMAGES' }, exclude_media_ids: [tags.media] }),
          ],
        }),
        status: 200,
        answers: ({ tags }) => ({ count: tags.clusterSize - 1 }),
      },
      ...selecting('unassign'),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}/tags/{tag_id}',
    cases: [
      {
        it: 'deletes a tag',
        path: (world) => pathOf(world, `/${world.tags.doomed}`),
        status: 204,
        answers: () => '',
      },
      ...unknownTag(''),
    ],
  },
];
