import { formOf } from '../support/api-client';
import { TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const dataset = (world: World): unknown => ({
  id: world.ready,
  display_name: 'Contract',
  description: '',
  source_type: 'LOCAL_FOLDER',
  owned_by: 'DMS',
  created_at: TIME,
  status: 'READY',
  status_new: 'READY',
  progress: 100,
  n_images: 12,
  n_videos: 0,
  n_objects: 2,
  fatal_error_msg: null,
  source_dataset_id: null,
});

export const DATASETS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}',
    cases: [
      { it: 'returns the dataset', path: (world) => `/api/v1/dataset/${world.ready}`, status: 200, answers: dataset },
      ...unknownDataset((id) => `/api/v1/dataset/${id}`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/datasets',
    cases: [
      {
        it: 'returns a plain array',
        path: () => '/api/v1/datasets?sort_by=name',
        status: 200,
        answers: (world) =>
          expect.arrayContaining<unknown>([
            {
              ...(dataset(world) as object),
              n_video_frames: 0,
              role: 'owner',
              is_public: false,
              thumb_uri: expect.stringMatching(/^http/) as string,
            },
          ]) as unknown,
      },
      {
        it: 'requires a known order',
        path: () => '/api/v1/datasets?sort_by=size',
        status: 422,
        locations: [['query', 'sort_by']],
      },
      {
        it: 'requires a boolean',
        path: () => '/api/v1/datasets?include_hidden=maybe',
        status: 422,
        locations: [['query', 'include_hidden']],
      },
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/datasets/{dataset_id}/creation-status',
    cases: [
      {
        it: 'answers status and progress, and nothing else',
        path: (world) => `/api/v1/datasets/${world.ready}/creation-status`,
        status: 200,
        answers: () => ({ status: 'READY', progress: 100 }),
      },
      ...unknownDataset((id) => `/api/v1/datasets/${id}/creation-status`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset',
    cases: [
      {
        it: 'returns the id of the new dataset',
        path: () => '/api/v1/dataset',
        body: (world) => formOf({ dataset_name: 'Second', bucket_path: world.folder }),
        status: 200,
        answers: () => ({ dataset_id: UUID }),
      },
      {
        it: 'requires a name',
        path: () => '/api/v1/dataset',
        body: (world) => formOf({ bucket_path: world.folder }),
        status: 400,
        detail: 'Field required: dataset_name',
      },
      {
        it: 'requires a path',
        path: () => '/api/v1/dataset',
        body: () => formOf({ dataset_name: 'x' }),
        status: 400,
        detail: 'Field required: bucket_path',
      },
      {
        it: 'requires a path it understands',
        path: () => '/api/v1/dataset',
        body: () => formOf({ dataset_name: 'x', bucket_path: 'ftp://host/x' }),
        status: 400,
        detail: /bucket_path must be/,
      },
      {
        it: 'requires a form',
        path: () => '/api/v1/dataset',
        body: () => ({ dataset_name: 'x' }),
        status: 400,
        detail: /multipart form/,
      },
      {
        it: 'reports that a path does not exist',
        path: () => '/api/v1/dataset',
        body: (world) => formOf({ dataset_name: 'x', bucket_path: `${world.folder}/nowhere` }),
        status: 500,
        detail: /^Nothing can be read at/,
      },
      {
        it: 'reports that a path lies outside of what may be read',
        path: () => '/api/v1/dataset',
        body: () => formOf({ dataset_name: 'x', bucket_path: '/etc' }),
        status: 500,
        detail: /^Nothing can be read at/,
      },
      {
        it: 'reports that a folder holds no media',
        path: () => '/api/v1/dataset',
        body: (world) => formOf({ dataset_name: 'x', bucket_path: world.emptyFolder }),
        status: 400,
        detail: / contains no supported image or video/,
      },
    ],
  },
  {
    method: 'PATCH',
    route: '/api/v1/dataset/{dataset_id}',
    cases: [
      {
        it: 'changes the description, and keeps the name',
        path: (world) => `/api/v1/dataset/${world.draft}`,
        body: () => ({ description: 'Checked\nby Ana' }),
        status: 200,
        answers: (world) => expect.objectContaining({ id: world.draft, description: 'Checked\nby Ana' }) as unknown,
      },
      {
        it: 'changes the name, and keeps the description',
        path: (world) => `/api/v1/dataset/${world.draft}`,
        body: () => ({ display_name: ' Renamed ' }),
        status: 200,
        answers: (world) =>
          expect.objectContaining({
            id: world.draft,
            display_name: 'Renamed',
            description: 'Checked\nby Ana',
          }) as unknown,
      },
      {
        it: 'requires one of them',
        path: (world) => `/api/v1/dataset/${world.draft}`,
        body: () => ({}),
        status: 422,
        locations: [['body']],
      },
      ...(
        [
          ['an empty name', { display_name: ' ' }, 'display_name'],
          ['a long name', { display_name: 'x'.repeat(256) }, 'display_name'],
          ['a control character', { display_name: 'a\u0007b' }, 'display_name'],
          ['a description that is a list', { description: [] }, 'description'],
        ] as const
      ).map(([what, body, field]): Case => ({
        it: `rejects ${what}`,
        path: (world) => `/api/v1/dataset/${world.draft}`,
        body: () => body,
        status: 422,
        locations: [['body', field]],
      })),
      ...unknownDataset((id) => `/api/v1/dataset/${id}`).map((each) => ({
        ...each,
        body: () => ({ description: '' }),
      })),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}',
    cases: unknownDataset((id) => `/api/v1/dataset/${id}`),
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/quarantine',
    cases: [
      {
        it: 'lists each file with its reason and time',
        path: (world) => `/api/v1/dataset/${world.ready}/quarantine`,
        status: 200,
        answers: () => ({
          files: [
            { file: 'broken.jpg', reason: 'unsupported', detail: expect.any(String) as string, quarantined_at: TIME },
          ],
          total: 1,
          page: 1,
          page_size: 100,
        }),
      },
      {
        it: 'bounds the page',
        path: (world) => `/api/v1/dataset/${world.ready}/quarantine?page=0&page_size=1001`,
        status: 422,
        locations: [
          ['query', 'page'],
          ['query', 'page_size'],
        ],
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/quarantine`),
    ],
  },
];
