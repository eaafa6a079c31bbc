import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { COUNTED_BY_VQL, vqlQuery } from './vql.cases';
import { ENCODER } from './enrichment.contract';
import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const WRONG_UUID = 'not-a-uuid';
const ADDRESS = expect.stringMatching(/^http:.*signature=/) as unknown;
const clusterOf = ({ ready, tags }: World): string => `/api/v1/explore/${ready}/clusters/${tags.cluster}`;
const mediaOf = ({ ready, tags }: World): string => `/api/v1/dataset/${ready}/media/${tags.media}`;

const unknownSnapshot = (path: (world: World) => string): Case => ({
  it: 'rejects an unknown snapshot',
  path: (world) => `${path(world)}?snapshot_id=${NOBODY}`,
  status: 404,
  detail: 'Snapshot not found',
});

const refusesSearchParameters = (path: (world: World) => string): Case[] => [
  {
    it: 'rejects bad search parameters',
    path: (world) => `${path(world)}?threshold=9&vql=[`,
    status: 422,
    locations: [
      ['query', 'threshold'],
      ['query', 'vql'],
    ],
  },
];

export const SEARCH_DETAILS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/explore/{dataset_id}/clusters/{cluster_id}',
    cases: [
      {
        it: 'shows a cluster whole',
        path: clusterOf,
        status: 200,
        answers: ({ tags }) =>
          expect.objectContaining({
            cluster_id: tags.cluster,
            total: tags.clusterSize,
            total_pages: 1,
            current_page: 0,
            members: expect.arrayContaining([
              expect.objectContaining({ media_id: UUID, relevance_score: null }),
            ]) as unknown,
          }) as unknown,
      },
      {
        it: 'cuts pages of members',
        path: (world) => `${clusterOf(world)}?limit=1&page_number=1`,
        status: 200,
        answers: ({ tags }) =>
          expect.objectContaining({
            total: tags.clusterSize,
            total_pages: tags.clusterSize,
            members: [expect.anything()],
          }) as unknown,
      },
      {
        it: 'applies filters to the members',
        path: (world) => `${clusterOf(world)}?labels=[no%20such%20label]`,
        status: 200,
        answers: () => expect.objectContaining({ total: 0, members: [] }) as unknown,
      },
      {
        it: 'rejects an unknown cluster',
        path: ({ ready }) => `/api/v1/explore/${ready}/clusters/${NOBODY}`,
        status: 404,
        detail: 'Cluster not found',
      },
      {
        it: 'rejects too many at once',
        path: (world) => `${clusterOf(world)}?limit=1001`,
        status: 422,
        locations: [['query', 'limit']],
      },
      unknownSnapshot(clusterOf),
      ...refusesSearchParameters(clusterOf),
      ...unknownDataset((id) => `/api/v1/explore/${id}/clusters/${NOBODY}`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/facets',
    cases: [
      {
        it: 'counts what a result holds',
        path: ({ ready }) => `/api/v1/dataset/${ready}/facets`,
        status: 200,
        answers: () => ({
          total: 12,
          labels: [],
          labels_total: 0,
          broader_labels: [],
          unlabeled: 12,
          tags: expect.any(Array) as unknown,
          untagged: expect.any(Number) as unknown,
          issues: ['blur', 'dark', 'bright', 'outliers', 'mislabels', 'class_outliers', 'duplicates'].map((issue) => ({
            issue,
            count: expect.any(Number) as unknown,
          })),
          outcomes: [],
          media_types: [{ value: 'image', count: 12 }],
          folders: ['family-0', 'family-1', 'family-2'].map((value) => ({ value, count: 4 })),
          folders_total: 3,
          custom_metadata: [],
        }),
      },
      {
        it: 'counts folders without the filter by folders, and searches them',
        path: ({ ready }) =>
          `/api/v1/dataset/${ready}/facets?search=Y-1&${vqlQuery({ folders: { op: 'one_of', value: 'family-0' } })}`,
        status: 200,
        answers: () =>
          expect.objectContaining({
            total: 4,
            folders: [{ value: 'family-1', count: 4 }],
            folders_total: 1,
          }) as unknown,
      },
      {
        it: 'counts outcomes of an evaluation without the filter by them',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?evaluation=${EXAMPLE.evaluation}&${vqlQuery({
            evaluation: { op: 'is', value: 'fp', evaluation: EXAMPLE.evaluation, confidence: 0.4 },
          })}`,
        status: 200,
        answers: () =>
          expect.objectContaining({
            total: 1,
            outcomes: ['tp', 'fp', 'fn'].map((outcome) => ({ outcome, count: 1 })),
          }) as unknown,
      },
      {
        it: 'refuses an unknown evaluation',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/facets?evaluation=${NOBODY}`,
        status: 422,
        locations: [['query', 'evaluation']],
      },
      {
        it: 'refuses an evaluation of another dataset',
        path: ({ ready }) =>
          `/api/v1/dataset/${ready}/facets?${vqlQuery({
            evaluation: { op: 'is', value: 'fp', evaluation: EXAMPLE.evaluation },
          })}`,
        status: 422,
        locations: [['vql', 'evaluation']],
      },
      {
        it: 'refuses too long a text to search for',
        path: ({ ready }) => `/api/v1/dataset/${ready}/facets?search=${'a'.repeat(201)}`,
        status: 422,
        locations: [['query', 'search']],
      },
      {
        it: 'counts the values of fields',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?${vqlQuery({ folders: { op: 'one_of', value: 'cats' } })}`,
        status: 200,
        answers: () => {
          const counted = { count: 2, values_total: 1, min: null, max: null };
          const values = [{ value: 'false', count: 2 }];
          return expect.objectContaining({
            custom_metadata: [
              { field_name: 'checked', field_type: 'boolean', ...counted, values },
              {
                field_name: 'score',
                field_type: 'float',
                count: 2,
                values: null,
                values_total: null,
                min: 0,
                max: 0.25,
              },
              { field_name: 'site', field_type: 'string', ...counted, values: [{ value: 'north', count: 2 }] },
              {
                field_name: 'taken',
                field_type: 'datetime',
                count: 2,
                values: null,
                values_total: null,
                min: '2020-01-31T10:00:00.000Z',
                max: '2026-01-31T10:00:00.000Z',
              },
            ],
          }) as unknown;
        },
      },
      {
        it: 'counts objects',
        path: ({ ready }) => `/api/v1/dataset/${ready}/facets?entity_type=OBJECTS`,
        status: 200,
        answers: () =>
          expect.objectContaining({ total: 2, labels: [{ value: 'ball', count: 2, parents: [] }] }) as unknown,
      },
      {
        it: 'is empty before anything is indexed',
        path: ({ draft }) => `/api/v1/dataset/${draft}/facets`,
        status: 200,
        answers: () => expect.objectContaining({ total: 0, labels: [], folders: [] }) as unknown,
      },
      ...COUNTED_BY_VQL,
      {
        it: 'refuses a field that the dataset does not have',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?${vqlQuery({ metadata: { op: 'eq', field: 'none', value: 1 } })}`,
        status: 422,
        answers: () => ({
          detail: [
            { type: 'value_error', loc: ['vql', 'metadata'], msg: 'The dataset has no field "none".', input: 'none' },
          ],
        }),
      },
      {
        it: 'refuses a value that is not of the type of its field',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?${vqlQuery({ metadata: { op: 'gt', field: 'site', value: 1 } })}`,
        status: 422,
        answers: () => ({ detail: [expect.objectContaining({ loc: ['vql', 'metadata'], input: 'site' })] }),
      },
      unknownSnapshot(({ ready }) => `/api/v1/dataset/${ready}/facets`),
      ...refusesSearchParameters(({ ready }) => `/api/v1/dataset/${ready}/facets`),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/facets`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/media/{media_id}',
    cases: [
      {
        it: 'tells everything of a picture',
        path: mediaOf,
        status: 200,
        answers: ({ tags }) =>
          expect.objectContaining({
            media_id: tags.media,
            media_type: 'image',
            mime_type: 'image/jpeg',
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
            clusters: ['0', '1', '2', '3', '4'].map((threshold) => ({ threshold, cluster_id: UUID })),
            parent: null,
            neighbours: expect.arrayContaining([
              expect.objectContaining({ relevance_score_type: 'cosine_distance' }),
            ]) as unknown,
          }) as unknown,
      },
      unknownSnapshot(mediaOf),
      {
        it: 'knows its UUID in capitals',
        path: ({ ready, tags }) => `/api/v1/dataset/${ready}/media/${tags.media.toUpperCase()}`,
        status: 200,
        answers: ({ tags }) => expect.objectContaining({ media_id: tags.media }) as unknown,
      },
      {
        it: 'rejects unknown media',
        path: ({ ready }) => `/api/v1/dataset/${ready}/media/${NOBODY}`,
        status: 404,
        detail: 'Media not found',
      },
      {
        it: 'requires the UUID of a media',
        path: ({ ready }) => `/api/v1/dataset/${ready}/media/${WRONG_UUID}`,
        status: 422,
        locations: [['path', 'media_id']],
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/media/${NOBODY}`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/media/{media_id}/similar',
    cases: [
      {
        it: 'shows what looks alike, nearest first',
        path: (world) => `${mediaOf(world)}/similar?limit=3`,
        status: 200,
        answers: ({ tags }) => ({
          media_id: tags.media,
          similar: [1, 2, 3].map((): unknown =>
            expect.objectContaining({ relevance_score: expect.any(Number) as unknown }),
          ),
        }),
      },
      {
        it: 'rejects a limit of nothing',
        path: (world) => `${mediaOf(world)}/similar?limit=0`,
        status: 422,
        locations: [['query', 'limit']],
      },
      {
        it: 'rejects unknown media',
        path: ({ ready }) => `/api/v1/dataset/${ready}/media/${NOBODY}/similar`,
        status: 404,
        detail: 'Media not found',
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/media/${NOBODY}/similar`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/vector_search/{dataset_id}',
    cases: [
      {
        it: 'lists the nearest captions',
        path: ({ captioned }) => `/api/v1/vector_search/${captioned}`,
        body: () => ({ text: 'two sleeping cats', entity_type: 'IMAGES', limit: 2 }),
        status: 200,
        answers: () => ({
          results: ['Two cats are sleeping under the table', 'A black cat sleeps on a red sofa'].map((caption) => ({
            media_id: UUID,
            media_uri: ADDRESS,
            media_thumb_uri: ADDRESS,
            file_name: expect.stringMatching(/^[01].jpg$/) as unknown,
            caption,
            relevance_score: expect.any(Number) as unknown,
            relevance_score_type: 'cosine_distance',
          })),
          total: 2,
        }),
      },
      {
        it: 'lists nothing where only images have captions',
        path: ({ captioned }) => `/api/v1/vector_search/${captioned}`,
        body: () => ({ text: 'two sleeping cats', entity_type: 'OBJECTS' }),
        status: 200,
        answers: () => ({ results: [], total: 0 }),
      },
      {
        it: 'lists the nearest pictures, also those without a caption',
        path: ({ pictured }) => `/api/v1/vector_search/${pictured}`,
        body: () => ({ text: 'two sleeping cats', entity_type: 'IMAGES' }),
        status: 200,
        answers: () => ({
          results: Array.from(
            { length: 6 },
            () => expect.objectContaining({ media_id: UUID, relevance_score_type: 'cosine_distance' }) as unknown,
          ),
          total: 6,
        }),
      },
      {
        it: 'needs captions or a model for text',
        path: ({ ready }) => `/api/v1/vector_search/${ready}`,
        body: () => ({ text: 'a person', entity_type: 'IMAGES', limit: 10 }),
        status: 409,
        detail: /no embedding that text can be compared with/,
      },
      {
        it: 'rejects what is missing or wrong',
        path: ({ ready }) => `/api/v1/vector_search/${ready}`,
        body: () => ({ text: ' ', entity_type: 'VIDEOS', limit: 1001 }),
        status: 422,
        locations: [
          ['body', 'text'],
          ['body', 'entity_type'],
          ['body', 'limit'],
        ],
      },
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/vector_search/{dataset_id}/embedding_models',
    cases: [
      {
        it: 'names the model of captions',
        path: ({ captioned }) => `/api/v1/vector_search/${captioned}/embedding_models`,
        status: 200,
        answers: () => [
          {
            id: 'hashed-words_v00',
            name: 'Hashed words',
            type: 'CAPTION_IMAGES',
            entity_type: 'IMAGES',
            dimension: 256,
            is_default: true,
            description: expect.stringMatching(/no synonyms/) as unknown,
          },
        ],
      },
      {
        it: 'names the model of pictures first',
        path: ({ pictured }) => `/api/v1/vector_search/${pictured}/embedding_models`,
        status: 200,
        answers: () => [
          {
            id: ENCODER,
            name: 'Encoder of the contract',
            type: 'MULTIMODEL_IMAGE_ENCODING',
            entity_type: 'IMAGES',
            dimension: 32,
            is_default: true,
            description: expect.any(String) as unknown,
          },
          expect.objectContaining({ id: 'hashed-words_v00', type: 'CAPTION_IMAGES', is_default: false }) as unknown,
        ],
      },
      {
        it: 'names no model for a dataset without captions',
        path: ({ ready }) => `/api/v1/vector_search/${ready}/embedding_models`,
        status: 200,
        answers: () => [],
      },
      ...unknownDataset((id) => `/api/v1/vector_search/${id}/embedding_models`),
    ],
  },
];
