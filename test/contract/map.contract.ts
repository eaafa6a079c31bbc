import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const mapOf = ({ ready }: World, rest = ''): string => `/api/v1/dataset/${ready}/map${rest}`;
const draftMap = ({ draft }: World, rest = ''): string => `/api/v1/dataset/${draft}/map${rest}`;

const unknownSnapshot = (rest: string): Case => ({
  it: 'rejects an unknown snapshot',
  path: (world) => `${mapOf(world, rest)}${rest.includes('?') ? '&' : '?'}snapshot_id=${NOBODY}`,
  status: 404,
  detail: 'Snapshot not found',
});

const badParameters = (rest = ''): Case => ({
  it: 'rejects bad parameters',
  path: (world) => mapOf(world, `${rest}?threshold=9&vql=[&color_by=mood`),
  status: 422,
  locations: [
    ['query', 'threshold'],
    ['query', 'vql'],
    ['query', 'color_by'],
  ],
});

const changed = (path: (world: World) => string): Case => ({
  it: 'rejects the version of another state',
  path,
  status: 409,
  detail: 'The dataset has changed since this map was made. Ask for the map again, and use its map_version.',
});

const areas: readonly [string, unknown][] = [
  [
    'two corners',
    [
      [0, 0],
      [1, 1],
    ],
  ],
  ['257 corners', Array.from({ length: 257 }, () => [0, 0])],
  [
    'a corner outside the map',
    [
      [0, 0],
      [1, 1],
      [2, 0],
    ],
  ],
  ['a corner of one number', [[0, 0], [1, 1], [0]]],
  [
    'a corner that is no number',
    [
      [0, 0],
      [1, 1],
      [0, '1'],
    ],
  ],
  ['what is no list', { length: 3 }],
];

const badRows: readonly (readonly [what: string, query: string, ...at: number[]])[] = [
  ['no rows', ''],
  ['what is no number', 'rows=1,b', 1],
  ['a negative row', 'rows=-1', 0],
  ['too many rows', `rows=${Array.from({ length: 101 }, (_, row) => row).join(',')}`],
  ['a very long text', `rows=${'1'.repeat(10_000)}`],
  ['rows twice', 'rows=1&rows=2'],
];

export const MAP_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/map',
    cases: [
      {
        it: 'counts what is on the map',
        path: (world) => mapOf(world, '?labels=[no%20such%20label]'),
        status: 200,
        answers: () => ({
          map_version: expect.stringMatching(/^[0-9a-f]{16}-[0-9a-f]{16}$/) as unknown,
          entity_type: 'IMAGES',
          total_media: 12,
          placed_media: 12,
          matching_media: 0,
          color_by: 'cluster',
          legend: expect.arrayContaining([
            expect.objectContaining({ value: '1', id: UUID, media: expect.any(Number) as unknown }),
          ]) as unknown,
          max_zoom: 14,
          points_per_tile: 8192,
        }),
      },
      {
        it: 'has a map of objects, coloured by label',
        path: (world) => mapOf(world, '?entity_type=OBJECTS&color_by=label'),
        status: 200,
        answers: () =>
          expect.objectContaining({
            total_media: 2,
            placed_media: 2,
            matching_media: 2,
            legend: [{ value: 'ball', id: null, media: 2 }],
          }) as unknown,
      },
      {
        it: 'has a map of pictures, coloured by outcome',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/map?color_by=outcome&evaluation=${EXAMPLE.evaluation}`,
        status: 200,
        answers: () =>
          expect.objectContaining({
            color_by: 'outcome',
            legend: ['fn', 'tp'].map((value) => ({ value, id: null, media: 1 })),
          }) as unknown,
      },
      {
        it: 'requires an evaluation for its outcomes',
        path: (world) => mapOf(world, '?color_by=outcome'),
        status: 422,
        locations: [['query', 'evaluation']],
      },
      {
        it: 'is empty before anything is indexed',
        path: draftMap,
        status: 200,
        answers: () => expect.objectContaining({ map_version: 'empty', total_media: 0, legend: [] }) as unknown,
      },
      ...areas.map(([what, value]): Case => ({
        it: `rejects an area of ${what}`,
        path: (world) =>
          mapOf(world, `?vql=${encodeURIComponent(JSON.stringify([{ map_area: { op: 'in', value } }]))}`),
        status: 422,
      })),
      unknownSnapshot(''),
      badParameters(),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/map`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/map/tiles/{z}/{x}/{y}',
    cases: [
      { it: 'gives the whole map', path: (world) => mapOf(world, '/tiles/0/0/0'), status: 200 },
      { it: 'gives a tile at the deepest zoom', path: (world) => mapOf(world, '/tiles/14/16383/0'), status: 200 },
      { it: 'is empty before anything is indexed', path: (world) => draftMap(world, '/tiles/0/0/0'), status: 200 },
      ...['0/1/0', '0/0/1', '14/16384/0', '15/0/0', '2147483647/0/0'].map((tile): Case => ({
        it: `has no tile ${tile}`,
        path: (world) => mapOf(world, `/tiles/${tile}`),
        status: 400,
        detail: /^The map has no tile /,
      })),
      {
        it: 'rejects what is no tile',
        path: (world) => mapOf(world, '/tiles/-1/x/1.5'),
        status: 422,
        locations: [
          ['path', 'z'],
          ['path', 'x'],
          ['path', 'y'],
        ],
      },
      changed((world) => mapOf(world, '/tiles/0/0/0?map_version=empty')),
      unknownSnapshot('/tiles/0/0/0'),
      badParameters('/tiles/0/0/0'),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/map/tiles/0/0/0`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/map/media',
    cases: [
      {
        it: 'shows media in the order asked for',
        path: (world) => mapOf(world, '/media?rows=3,0'),
        status: 200,
        answers: () => ({
          media: [expect.objectContaining({ row: 3 }), expect.objectContaining({ row: 0, type: 'IMAGE' })],
        }),
      },
      {
        it: 'rejects a row that is not there',
        path: (world) => mapOf(world, '/media?rows=0,2147483647'),
        status: 400,
        detail: /^The dataset has no row 2147483647: its rows are numbered from 0, and it has \d+\.$/,
      },
      ...badRows.map(([what, query, ...at]): Case => ({
        it: `rejects ${what}`,
        path: (world) => mapOf(world, `/media?${query}`),
        status: 422,
        locations: [['query', 'rows', ...at]],
      })),
      changed((world) => mapOf(world, '/media?rows=0&map_version=0')),
      unknownSnapshot('/media?rows=0'),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/map/media?rows=0`),
    ],
  },
];
