import type { ApiClient } from '../support/api-client';
import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

interface Made {
  readonly id: string;
}

/** A queue of some pictures, whose first item is known, one whose answers are reviewed, and one to delete. */
export async function makeQueues(api: ApiClient, dataset: string): Promise<World['review']> {
  const path = `/api/v1/dataset/${dataset}/review_queues`;
  const make = async (name: string, more: object = {}): Promise<string> =>
    (await api.must<Made>(201, 'POST', path, { name, query: {}, question: { type: 'boxes' }, ...more })).id;
  const itemOf = async (queue: string): Promise<string> =>
    (await api.must<{ items: { item_id: string }[] }>(200, 'GET', `${path}/${queue}/items?limit=1`)).items[0]!.item_id;
  const known = await make('Known', { question: { type: 'labels', options: ['boat', 'house'] } });
  const reviewed = await make('Reviewed', { reviewed: true });
  const decided = await itemOf(reviewed);
  await api.must(200, 'POST', `${path}/${reviewed}/items/${decided}/decision`, { verdict: 'answer' });
  return { known, item: await itemOf(known), reviewed, decided, doomed: await make('Doomed') };
}

export const pathOf = (world: World, rest = ''): string => `/api/v1/dataset/${world.ready}/review_queues${rest}`;
export const ofKnown = (world: World, rest = ''): string => pathOf(world, `/${world.review.known}${rest}`);

const queue = (more: object): unknown =>
  expect.objectContaining({
    id: UUID,
    description: '',
    annotation_source: null,
    agreement: 1,
    consensus: 'vote',
    reviewed: false,
    people: null,
    due_at: null,
    paused: false,
    created_at: TIME,
    created_by: 'admin@localhost',
    finished_at: null,
    ...more,
  });

const asked = (more: object = {}) => ({ name: 'New', query: {}, question: { type: 'boxes' }, ...more });

const refusedQueues: readonly [string, object, (string | number)[]][] = [
  ['an empty name', asked({ name: ' ' }), ['name']],
  ['no items', asked({ query: undefined }), []],
  ['items of two kinds', asked({ media_ids: [NOBODY] }), []],
  ['items of a search and a view', asked({ view_id: NOBODY }), []],
  ['an unknown question', asked({ question: { type: 'caption' } }), ['question', 'type']],
  ['a choice without options', asked({ question: { type: 'choose', options: ['one'] } }), ['question', 'options']],
  ['objects', asked({ query: { entity_type: 'OBJECTS' } }), ['query', 'entity_type']],
  ['an unknown order', asked({ query: { sort: 'beauty' } }), ['query', 'sort']],
  ['an unknown filter', asked({ query: { vql: [{ cats: {} }] } }), ['query', 'vql', 0, 'cats']],
  ['agreement of nobody', asked({ agreement: 0 }), ['agreement']],
  ['a due date that is none', asked({ due_at: 'soon' }), ['due_at']],
  ['nobody', asked({ people: [] }), ['people']],
  ['an unknown field', asked({ views: [] }), []],
  [
    'a honeypot without an answer to its question',
    asked({ question: { type: 'labels' }, honeypots: [{ media_id: NOBODY, answer: { accepted: true } }] }),
    ['honeypots', 0, 'answer', 'labels'],
  ],
  [
    'honeypots among annotations',
    asked({ query: undefined, annotations: { source: 'a' }, honeypots: [{ media_id: NOBODY, answer: {} }] }),
    ['honeypots'],
  ],
];

/** Cases of a route with an unknown queue. */
export const unknownQueue = (rest: string, body?: object): Case[] => {
  const withBody = body === undefined ? {} : { body: () => body };
  const detail = 'Review queue not found';
  return [
    { it: 'rejects an unknown queue', path: (world: World) => pathOf(world, `/${NOBODY}${rest}`), status: 404, detail },
    {
      it: 'rejects the queue of another dataset',
      path: (world: World) => `/api/v1/dataset/${world.captioned}/review_queues/${world.review.known}${rest}`,
      status: 404,
      detail,
    },
    {
      it: 'requires a UUID for the queue',
      path: (world: World) => pathOf(world, `/mine${rest}`),
      status: 422,
      locations: [['path', 'queue_id']],
    },
    ...unknownDataset((id) => `/api/v1/dataset/${id}/review_queues/${NOBODY}${rest}`),
  ].map((each) => ({ ...each, ...withBody }));
};

export const route = '/api/v1/dataset/{dataset_id}/review_queues';

export const REVIEW_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route,
    cases: [
      {
        it: 'makes a queue of all pictures',
        path: (world) => pathOf(world),
        body: () => asked({ query: { sort: 'random', limit: 3 }, due_at: '2026-12-24T18:00:00', agreement: 2 }),
        status: 201,
        answers: () => queue({ name: 'New', n_items: 3, n_left: 3, due_at: TIME, agreement: 2 }),
      },
      {
        it: 'makes a queue of given media',
        path: (world) => pathOf(world),
        body: ({ tags }) =>
          asked({ name: 'Given', query: undefined, media_ids: [tags.media, tags.media, tags.otherMedia] }),
        status: 201,
        answers: () => queue({ name: 'Given', n_items: 2 }),
      },
      {
        it: 'makes a queue that a view feeds',
        path: (world) => pathOf(world),
        body: ({ views }) => asked({ name: 'Fed', query: undefined, view_id: views.known }),
        status: 201,
        answers: ({ views }) => queue({ name: 'Fed', view_id: views.known, feed_error: null }),
      },
      {
        it: 'rejects an unknown view',
        path: (world) => pathOf(world),
        body: () => asked({ name: 'Unknown', query: undefined, view_id: NOBODY }),
        status: 404,
        detail: 'View not found',
      },
      {
        it: 'rejects a name that another queue has',
        path: (world) => pathOf(world),
        body: () => asked({ name: 'Known' }),
        status: 409,
        detail: "A review queue named 'Known' already exists in this dataset",
      },
      {
        it: 'rejects unknown media',
        path: (world) => pathOf(world),
        body: () => asked({ name: 'Unknown', query: undefined, media_ids: [NOBODY] }),
        status: 404,
        detail: `Media ${NOBODY} not found`,
      },
      {
        it: 'rejects unknown people',
        path: (world) => pathOf(world),
        body: () => asked({ name: 'Strangers', people: ['nobody@example.com'] }),
        status: 404,
        detail: 'No user with this id or e-mail address may change the dataset: nobody@example.com',
      },
      {
        it: 'rejects a queue without items',
        path: (world) => pathOf(world),
        body: () => asked({ name: 'Empty', query: undefined, annotations: { source: 'nobody' } }),
        status: 400,
        detail: 'Nothing matches, so the queue would have no items. Choose others.',
      },
      {
        it: 'needs a dataset that is indexed',
        path: (world) => `/api/v1/dataset/${world.draft}/review_queues`,
        body: () => asked(),
        status: 409,
      },
      ...refusedQueues.map(([what, body, location]): Case => ({
        it: `rejects ${what}`,
        path: (world) => pathOf(world),
        body: () => body,
        status: 422,
        locations: [['body', ...location]],
      })),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/review_queues`).map((each) => ({
        ...each,
        body: () => asked(),
      })),
    ],
  },
  {
    method: 'GET',
    route,
    cases: [
      {
        it: 'lists the queues',
        path: (world) => pathOf(world),
        status: 200,
        answers: (world) => ({
          queues: expect.arrayContaining([queue({ id: world.review.known, name: 'Known' })]) as unknown,
        }),
      },
      {
        it: 'lists none',
        path: (world) => `/api/v1/dataset/${world.draft}/review_queues`,
        status: 200,
        answers: () => ({ queues: [] }),
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/review_queues`),
    ],
  },
  {
    method: 'GET',
    route: `${route}/{queue_id}`,
    cases: [
      {
        it: 'has the progress of the queue',
        path: (world) => ofKnown(world),
        status: 200,
        answers: () =>
          queue({
            name: 'Known',
            n_leased: 0,
            rate_per_hour: 0,
            agreement_figures: { observed: null, cohen_kappa: null, krippendorff_alpha: null },
            people_figures: [],
            label_figures: [],
          }),
      },
      ...unknownQueue(''),
    ],
  },
  {
    method: 'PATCH',
    route: `${route}/{queue_id}`,
    cases: [
      {
        it: 'changes the words of a queue',
        path: (world) => ofKnown(world),
        body: () => ({ description: 'Look twice', due_at: '2026-12-24', people: ['admin@localhost'] }),
        status: 200,
        answers: () =>
          queue({ name: 'Known', description: 'Look twice', due_at: TIME, people: expect.any(Array) as unknown }),
      },
      {
        it: 'rejects a name that another queue has',
        path: (world) => ofKnown(world),
        body: () => ({ name: 'Doomed' }),
        status: 409,
        detail: "A review queue named 'Doomed' already exists in this dataset",
      },
      {
        it: 'rejects another question',
        path: (world) => ofKnown(world),
        body: () => ({ question: { type: 'boxes' } }),
        status: 422,
        locations: [['body']],
      },
      ...unknownQueue('', { paused: true }),
    ],
  },
  {
    method: 'DELETE',
    route: `${route}/{queue_id}`,
    cases: [
      { it: 'deletes a queue', path: (world) => pathOf(world, `/${world.review.doomed}`), status: 204 },
      {
        it: 'deletes it once',
        path: (world) => pathOf(world, `/${world.review.doomed}`),
        status: 404,
        detail: 'Review queue not found',
      },
      ...unknownQueue(''),
    ],
  },
];
