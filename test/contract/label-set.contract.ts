import { unknownDataset, type Case, type Route } from './contract-case';

const pathOf = (id: string): string => `/api/v1/dataset/${id}/label_set`;
const BOAT = { name: 'boat', colour: '#1f77B4', hot_key: 'b', attributes: [{ name: 'new', type: 'boolean' }] };
const set = (...labels: object[]): object => ({ labels, closed: false });
const withAttributes = (...attributes: object[]): object => set({ name: 'a', attributes });

const bad: readonly [string, object, (string | number)[]][] = [
  ['labels', {}, ['labels']],
  ['a name', set({ name: ' ' }), ['labels', 0, 'name']],
  ['each name once', set({ name: 'a' }, { name: 'a' }), ['labels']],
  ['each key once', set({ name: 'a', hot_key: 'k' }, { name: 'b', hot_key: 'k' }), ['labels']],
  ['a key of one character', set({ name: 'a', hot_key: 'ab' }), ['labels', 0, 'hot_key']],
  ['a key that can be seen', set({ name: 'a', hot_key: ' ' }), ['labels', 0, 'hot_key']],
  ['a colour', set({ name: 'a', colour: 'red' }), ['labels', 0, 'colour']],
  ['known fields', set({ name: 'a', color: '#000000' }), ['labels', 0]],
  ['a type of attribute', withAttributes({ name: 'x', type: 'date' }), ['labels', 0, 'attributes', 0, 'type']],
  ['values of a choice', withAttributes({ name: 'x', type: 'choice' }), ['labels', 0, 'attributes', 0, 'values']],
  [
    'values of choices only',
    withAttributes({ name: 'x', type: 'text', values: ['a'] }),
    ['labels', 0, 'attributes', 0, 'values'],
  ],
  [
    'each attribute once',
    withAttributes({ name: 'x', type: 'text' }, { name: 'x', type: 'number' }),
    ['labels', 0, 'attributes'],
  ],
  ['a label in a closed set', { labels: [], closed: true }, ['labels']],
  ['at most 1,000 labels', set(...Array.from({ length: 1_001 }, (_, at) => ({ name: `${at}` }))), ['labels']],
];

export const LABEL_SET_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/label_set',
    cases: [
      {
        it: 'has no labels at first',
        path: (world) => pathOf(world.ready),
        status: 200,
        answers: () => ({ labels: [], closed: false }),
      },
      ...unknownDataset(pathOf),
    ],
  },
  {
    method: 'PUT',
    route: '/api/v1/dataset/{dataset_id}/label_set',
    cases: [
      {
        it: 'returns the labels',
        path: (world) => pathOf(world.draft),
        body: () => ({ labels: [BOAT, { name: 'sea' }] }),
        status: 200,
        answers: () => ({
          labels: [
            { ...BOAT, colour: '#1f77b4' },
            { name: 'sea', colour: null, hot_key: null, attributes: [] },
          ],
          closed: false,
        }),
      },
      ...bad.map(([what, body, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body: () => body,
        status: 422,
        locations: [['body', ...location]],
      })),
      ...unknownDataset(pathOf).map((each): Case => ({ ...each, body: () => ({ labels: [] }) })),
    ],
  },
];
