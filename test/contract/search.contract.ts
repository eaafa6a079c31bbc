import { unknownDataset, type Case, type Route } from './contract-case';

export const SEARCH_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/explore/{dataset_id}',
    cases: [
      {
        it: 'answers clusters',
        path: (world) => `/api/v1/explore/${world.ready}?entity_type=IMAGES&threshold=4`,
        status: 200,
        answers: () => expect.objectContaining({ metadata: { used_duckdb: false }, current_page: 0 }) as unknown,
      },
      {
        it: 'answers an empty page beyond the end',
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
      ...[
        ['threshold=5', 'threshold'],
        ['threshold=-1', 'threshold'],
        ['threshold=1.5', 'threshold'],
        ['page_number=-1', 'page_number'],
        ['entity_type=THINGS', 'entity_type'],
      ].map(([query, name]): Case => ({
        it: `refuses ${query!}`,
        path: (world) => `/api/v1/explore/${world.ready}?${query!}`,
        status: 422,
        locations: [['query', name!]],
      })),
      ...unknownDataset((id) => `/api/v1/explore/${id}`),
    ],
  },
];
