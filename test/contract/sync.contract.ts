import { unknownDataset, UUID, type Route } from './contract-case';

const sync = (dataset: string): string => `/api/v1/dataset/${dataset}/sync`;

export const SYNC_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/sync',
    cases: [
      {
        it: 'accepts a dataset made from a folder',
        path: (world) => sync(world.captioned),
        status: 202,
        answers: () => ({ task_id: UUID }),
      },
      {
        it: 'has nothing to list for a dataset made by upload',
        path: (world) => sync(world.processedDataset),
        status: 400,
        detail: /^Dataset .* was made by upload, so it has no source to sync with$/,
      },
      {
        it: 'has nothing to list for a draft',
        path: (world) => sync(world.draft),
        status: 400,
        detail: /^Dataset .* was made by upload, so it has no source to sync with$/,
      },
      {
        it: 'requires a flag that is one',
        path: (world) => `${sync(world.ready)}?prune=perhaps`,
        status: 422,
        locations: [['query', 'prune']],
      },
      ...unknownDataset(sync),
    ],
  },
];
