import { NOBODY, unknownDataset, type Case, type Route, type World } from './contract-case';

const tileOf = ({ ready, tags }: World, tile: string): string =>
  `/api/v1/dataset/${ready}/media/${tags.media}/tiles/${tile}`;

export const MEDIA_TILE_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/media/{media_id}/tiles/{level}/{column}/{row}',
    cases: [
      { it: 'gives a small picture whole', path: (world) => tileOf(world, '0/0/0'), status: 200 },
      { it: 'gives the picture in less than its size', path: (world) => tileOf(world, '15/0/0'), status: 200 },
      ...['0/1/0', '0/0/1', '15/100000/100000'].map((tile): Case => ({
        it: `has no tile ${tile}`,
        path: (world) => tileOf(world, tile),
        status: 404,
        detail: new RegExp(`^The picture has no tile ${tile}: it is \\d+ x \\d+ pixels large\\.$`),
      })),
      {
        it: 'gives no other content than is asked for',
        path: (world) => tileOf(world, `0/0/0?sha256=${'0'.repeat(64)}`),
        status: 404,
        detail: 'The picture has another content. Read its details again.',
      },
      {
        it: 'rejects what is no tile',
        path: (world) => tileOf(world, '-1/x/1.5'),
        status: 422,
        locations: [
          ['path', 'level'],
          ['path', 'column'],
          ['path', 'row'],
        ],
      },
      ...['16/0/0', '0/2147483648/0', '0/0/1e3', '99999999999999999999/0/0'].map((tile): Case => ({
        it: `rejects the numbers ${tile}`,
        path: (world) => tileOf(world, tile),
        status: 422,
      })),
      {
        it: 'rejects what is no content',
        path: (world) => tileOf(world, '0/0/0?sha256=short'),
        status: 422,
        locations: [['query', 'sha256']],
      },
      {
        it: 'rejects an unknown medium',
        path: ({ ready }) => `/api/v1/dataset/${ready}/media/${NOBODY}/tiles/0/0/0`,
        status: 404,
      },
      {
        it: 'rejects an unknown snapshot',
        path: (world) => tileOf(world, `0/0/0?snapshot_id=${NOBODY}`),
        status: 404,
        detail: 'Snapshot not found',
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/media/${NOBODY}/tiles/0/0/0`),
    ],
  },
];
