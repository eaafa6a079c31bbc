import { NOBODY, unknownDataset, type Case, type Route } from './contract-case';

const pathOf = (id: string, rest = ''): string => `/api/v1/dataset/${id}/label_suggestions${rest}`;
const below =
  (rest: string) =>
  (id: string): string =>
    pathOf(id, rest);

const OTHER = '2743066e-6ea5-453a-9436-7977fd385503';
const SEEN = { media_id: NOBODY, label: 'cat', suggested: 'dog' };
const DECISION = { keep: [SEEN] };
const UNDONE = { decision_id: NOBODY };
const ABOVE = { confidence: 0.9 };
const NOTHING = { decision_id: null, n_taken_over: 0, n_kept: 0, unmatched: [] };

const refusedQueries = (rest: string, queries: readonly string[]): Case[] =>
  queries.map((query) => ({
    it: `rejects ${query}`,
    path: (world) => `${pathOf(world.ready, rest)}?${query}`,
    status: 422,
    locations: [['query', query.split('=')[0]!]],
  }));

const refusedDecisions: readonly [string, object, (string | number)[]][] = [
  ['a decision', {}, ['take_over']],
  ['each medium once', { take_over: [SEEN], keep: [SEEN] }, ['take_over']],
  [
    'each medium once, in whatever case',
    { keep: [OTHER, OTHER.toUpperCase()].map((media_id) => ({ ...SEEN, media_id })) },
    ['take_over'],
  ],
  ['an id', { keep: [{ ...SEEN, media_id: 'x' }] }, ['keep', 0, 'media_id']],
  ['the label that was seen', { take_over: [{ ...SEEN, label: '' }] }, ['take_over', 0, 'label']],
];

const notIndexed = (rest: string, body: object): Case => ({
  it: 'needs a dataset that is indexed',
  path: (world) => pathOf(world.draft, rest),
  body: () => body,
  status: 409,
  detail: 'Labels are judged when a dataset is indexed, and this one is not indexed yet.',
});

export const LABEL_SUGGESTIONS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/label_suggestions',
    cases: [
      {
        it: 'counts none without labels that look wrong',
        path: (world) => pathOf(world.ready),
        status: 200,
        answers: () => ({ total: 0, total_pairs: 0, several_labels: 0, pairs: [] }),
      },
      {
        it: 'counts none of a draft',
        path: (world) => pathOf(world.draft),
        status: 200,
        answers: () => ({ total: 0, total_pairs: 0, several_labels: 0, pairs: [] }),
      },
      ...refusedQueries('', ['entity_type=VIDEOS', 'confidence=0', 'confidence=2', 'confidence=x']),
      ...unknownDataset(pathOf),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/label_suggestions/media',
    cases: [
      {
        it: 'lists none of a draft',
        path: (world) => pathOf(world.draft, '/media'),
        status: 200,
        answers: () => ({ total: 0, total_pages: 0, current_page: 0, media: [] }),
      },
      ...refusedQueries('/media', ['limit=201', 'limit=0', 'page_number=-1', 'label=']),
      ...unknownDataset(below('/media')),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/label_suggestions/decisions',
    cases: [
      {
        it: 'names media that the dataset does not have',
        path: (world) => pathOf(world.ready, '/decisions'),
        body: () => ({ ...DECISION, take_over: [{ ...SEEN, media_id: OTHER }] }),
        status: 200,
        answers: () => ({ ...NOTHING, unmatched: [OTHER, NOBODY] }),
      },
      ...refusedDecisions.map(([what, body, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready, '/decisions'),
        body: () => body,
        status: 422,
        locations: [['body', ...location]],
      })),
      notIndexed('/decisions', DECISION),
      ...unknownDataset(below('/decisions')).map((each): Case => ({ ...each, body: () => DECISION })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/label_suggestions/decisions/by_confidence',
    cases: [
      {
        it: 'takes over nothing where nothing is suggested',
        path: (world) => pathOf(world.ready, '/decisions/by_confidence'),
        body: () => ABOVE,
        status: 200,
        answers: () => ({ ...NOTHING, has_more: false }),
      },
      {
        it: 'requires a confidence',
        path: (world) => pathOf(world.ready, '/decisions/by_confidence'),
        body: () => ({}),
        status: 422,
        locations: [['body', 'confidence']],
      },
      notIndexed('/decisions/by_confidence', ABOVE),
      ...unknownDataset(below('/decisions/by_confidence')).map((each): Case => ({ ...each, body: () => ABOVE })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/label_suggestions/undo',
    cases: [
      {
        it: 'does not know a decision',
        path: (world) => pathOf(world.ready, '/undo'),
        body: () => UNDONE,
        status: 404,
        detail: 'Decision not found',
      },
      {
        it: 'requires an id',
        path: (world) => pathOf(world.ready, '/undo'),
        body: () => ({ decision_id: 'last' }),
        status: 422,
        locations: [['body', 'decision_id']],
      },
      ...unknownDataset(below('/undo')).map((each): Case => ({ ...each, body: () => UNDONE })),
    ],
  },
];
