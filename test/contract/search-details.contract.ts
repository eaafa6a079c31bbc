import { ENCODER } from './enrichment.contract';
import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const WRONG_UUID = 'not-a-uuid';
const ADDRESS = expect.stringMatching(/^http:.*signature=/) as unknown;
const clusterOf = ({ ready, tags }: World): string => `/api/v1/explore/${ready}/clusters/${tags.cluster}`;
const mediaOf = ({ ready, tags }: World): string => `/api/v1/dataset/${ready}/media/${tags.media}`;

export const unknownSnapshot = (path: (world: World) => string): Case => ({
  it: 'rejects an unknown snapshot',
  path: (world) => `${path(world)}?snapshot_id=${NOBODY}`,
  status: 404,
  detail: 'Snapshot not found',
});

export const refusesSearchParameters = (path: (world: World) => string): Case[] => [
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
