import { NOBODY, unknownDataset, type Case, type Route } from './contract-case';

const historyOf = (id: string): string => `/api/v1/dataset/${id}/annotations/history`;
const undoOf = (id: string): string => `/api/v1/dataset/${id}/annotations/undo`;
const CHANGE = { change_id: NOBODY };

export const ANNOTATION_HISTORY_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/annotations/history',
    cases: [
      {
        it: 'returns none of a dataset without media',
        path: (world) => historyOf(world.draft),
        status: 200,
        answers: () => ({ changes: [], next_cursor: null }),
      },
      ...(['media_id=x', 'queue_id=x', 'limit=101', 'limit=0', 'cursor=x', 'source='] as const).map((query): Case => ({
        it: `rejects ${query}`,
        path: (world) => `${historyOf(world.ready)}?${query}`,
        status: 422,
        locations: [['query', query.split('=')[0]!]],
      })),
      ...unknownDataset(historyOf),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/annotations/undo',
    cases: [
      {
        it: 'does not know a change',
        path: (world) => undoOf(world.ready),
        body: () => CHANGE,
        status: 404,
        detail: 'Change not found',
      },
      {
        it: 'rejects a dataset that is neither READY nor PARTIAL INDEX',
        path: (world) => undoOf(world.draft),
        body: () => CHANGE,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY or PARTIAL INDEX; this one is DRAFT",
      },
      {
        it: 'requires the id of a change',
        path: (world) => undoOf(world.ready),
        body: () => ({ change_id: 'last' }),
        status: 422,
        locations: [['body', 'change_id']],
      },
      ...unknownDataset(undoOf).map((each): Case => ({ ...each, body: () => CHANGE })),
    ],
  },
];
