import { NOBODY, unknownDataset, UUID, type Case, type Route } from './contract-case';

const GIVEN = { annotations: [{ file_name: '1.jpg', labels: ['given'] }] };
const pathOf = (id: string): string => `/api/v1/dataset/${id}/annotations`;

const badBodies: readonly [string, object, (string | number)[]][] = [
  ['an annotation', { annotations: [] }, ['body', 'annotations']],
  ['a mode that it knows', { mode: 'merge', ...GIVEN }, ['body', 'mode']],
  ['a medium', { annotations: [{ labels: ['a'] }] }, ['body', 'annotations', 0]],
  [
    'one name of a medium',
    { annotations: [{ media_id: NOBODY, file_name: 'a.jpg', caption: 'a' }] },
    ['body', 'annotations', 0],
  ],
  ['labels or a caption', { annotations: [{ file_name: 'a.jpg' }] }, ['body', 'annotations', 0]],
  [
    'labels that are not empty',
    { annotations: [{ file_name: 'a.jpg', labels: [' '] }] },
    ['body', 'annotations', 0, 'labels', 0],
  ],
  [
    'at most 10,000 annotations',
    { annotations: Array.from({ length: 10_001 }, (_, at) => ({ file_name: `${at}.jpg`, caption: 'a' })) },
    ['body', 'annotations'],
  ],
];

export const ANNOTATIONS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/annotations',
    cases: [
      {
        it: 'returns the task',
        path: (world) => pathOf(world.pictured),
        body: () => GIVEN,
        status: 202,
        answers: () => ({ task_id: UUID }),
      },
      {
        it: 'rejects a dataset that is not READY',
        path: (world) => pathOf(world.draft),
        body: () => GIVEN,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY; this one is DRAFT",
      },
      ...badBodies.map(([what, body, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body: () => body,
        status: 422,
        locations: [location],
      })),
      ...unknownDataset(pathOf).map((each): Case => ({ ...each, body: () => GIVEN })),
    ],
  },
];
