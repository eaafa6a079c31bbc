import { FOUND } from './explore.cases';
import { FOUND_BY_VQL } from './vql.cases';
import { NOBODY, unknownDataset, type Case, type Route } from './contract-case';

type Location = readonly (string | number)[];

const inVql = (filter: unknown, ...location: Location): [string, Location] => [
  `vql=${encodeURIComponent(JSON.stringify([{ uniqueness: { op: 'uniqueness', value: 0 } }, filter]))}`,
  ['vql', 1, ...location],
];

const REFUSED: readonly [string, Location][] = [
  ['threshold=5', ['threshold']],
  ['threshold=-1', ['threshold']],
  ['threshold=1.5', ['threshold']],
  ['page_number=-1', ['page_number']],
  ['entity_type=THINGS', ['entity_type']],
  ['caption=cat', ['entity_type']],
  ['entity_type=IMAGES&caption=', ['caption']],
  ['entity_type=IMAGES&caption=cat&image_caption=dog', ['image_caption']],
  ['textual_similarity_threshold=1.5', ['textual_similarity_threshold']],
  ['duplicate_threshold=1.5', ['duplicate_threshold']],
  ['duplicate_threshold=0.79', ['duplicate_threshold']],
  ['duplicate_threshold=high', ['duplicate_threshold']],
  ['labels=dog,cat', ['labels']],
  ['labels=[dog]&labels=[cat]', ['labels']],
  ['labels=[dog%00]', ['labels', 0]],
  ['tags=[dog]', ['tags', 0]],
  [`anchor_media_id=${NOBODY}&anchor_type=MEDIA`, ['entity_type']],
  [`entity_type=IMAGES&anchor_media_id=${NOBODY}`, ['anchor_type']],
  ['entity_type=IMAGES&anchor_type=MEDIA', ['anchor_media_id']],
  [`entity_type=IMAGES&anchor_media_id=${NOBODY}&anchor_type=OTHER`, ['anchor_type']],
  ['snapshot_id=first', ['snapshot_id']],
  ['vql=', ['vql']],
  ['vql=[{', ['vql']],
  ['vql={}', ['vql']],
  inVql('labels'),
  inVql({}),
  inVql({ colour: {} }, 'colour'),
  inVql({ labels: { value: ['a'] } }, 'labels', 'op'),
  inVql({ labels: { op: 'any', value: ['a'] } }, 'labels', 'op'),
  inVql({ labels: { op: 'is' } }, 'labels', 'value'),
  inVql({ labels: { op: 'is', value: [] } }, 'labels', 'value'),
  inVql({ labels: { op: 'is', value: ['a', 1] } }, 'labels', 'value', 1),
  inVql({ tags: { op: 'is', value: ['a'] } }, 'tags', 'value', 0),
  inVql({ text: { op: 'fts', value: '-a' } }, 'text', 'value'),
  inVql({ text: { op: 'semantic', value: 'a', threshold: 2 } }, 'text', 'threshold'),
  inVql({ issues: { op: 'issue', value: 'blur', mode: 'out' } }, 'issues', 'mode'),
  inVql({ duplicates: { op: 'duplicates', value: 1.1 } }, 'duplicates', 'value'),
  inVql({ duplicates: { op: 'duplicates', value: 0.79 } }, 'duplicates', 'value'),
  inVql({ issues: { op: 'issue', value: 'duplicates', threshold: 0.5 } }, 'issues', 'threshold'),
  inVql({ uniqueness: { op: 'uniqueness', value: '0.5' } }, 'uniqueness', 'value'),
  inVql({ or: [{ not: { or: [] } }] }, 'or', 0, 'not', 'or'),
];

export const SEARCH_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/explore/{dataset_id}',
    cases: [
      {
        it: 'returns clusters',
        path: (world) => `/api/v1/explore/${world.ready}?entity_type=IMAGES&threshold=4`,
        status: 200,
        answers: () => expect.objectContaining({ metadata: { used_duckdb: false }, current_page: 0 }) as unknown,
      },
      {
        it: 'returns an empty page beyond the end',
        path: (world) => `/api/v1/explore/${world.ready}?page_number=99`,
        status: 200,
        answers: () => expect.objectContaining({ clusters: [], current_page: 99 }) as unknown,
      },
      {
        it: 'is empty for a draft',
        path: (world) => `/api/v1/explore/${world.draft}?entity_type=IMAGES`,
        status: 200,
        answers: () => ({ clusters: [], metadata: { used_duckdb: false }, total_pages: 0, current_page: 0 }),
      },
      {
        it: 'returns what a snapshot kept',
        path: ({ ready, snapshots }) => `/api/v1/explore/${ready}?threshold=4&snapshot_id=${snapshots.known}`,
        status: 200,
        answers: () => expect.objectContaining({ total_pages: 1 }) as unknown,
      },
      {
        it: 'rejects an unknown snapshot',
        path: ({ ready }) => `/api/v1/explore/${ready}?snapshot_id=${NOBODY}`,
        status: 404,
        detail: 'Snapshot not found',
      },
      ...FOUND,
      ...FOUND_BY_VQL,
      ...REFUSED.map(([query, location]): Case => ({
        it: `rejects ${JSON.stringify(decodeURIComponent(query))}`,
        path: (world) => `/api/v1/explore/${world.ready}?${query}`,
        status: 422,
        locations: [['query', ...location]],
      })),
      ...unknownDataset((id) => `/api/v1/explore/${id}`),
    ],
  },
];
