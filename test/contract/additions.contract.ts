import { unknownDataset, type Route } from './contract-case';

const reindex = (dataset: string): string => `/api/v1/dataset/${dataset}/reindex`;

export const ADDITIONS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/reindex',
    cases: [
      {
        it: 'accepts a dataset that media were added to',
        path: (world) => reindex(world.partial),
        status: 202,
        answers: () => '',
      },
      {
        it: 'runs once at a time',
        path: (world) => reindex(world.partial),
        status: 409,
        detail: /^Operation 'reindex' (is blocked while REINDEX task is running|needs a dataset that is PARTIAL INDEX)/,
      },
      {
        it: 'has nothing to do for a dataset that is READY',
        path: (world) => reindex(world.ready),
        status: 409,
        detail: "Operation 'reindex' needs a dataset that is PARTIAL INDEX; this one is READY",
      },
      {
        it: 'has nothing to do for a draft',
        path: (world) => reindex(world.draft),
        status: 409,
        detail: "Operation 'reindex' needs a dataset that is PARTIAL INDEX; this one is DRAFT",
      },
      ...unknownDataset(reindex),
    ],
  },
];
