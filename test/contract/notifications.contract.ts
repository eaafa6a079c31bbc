import { NOBODY, unknownDataset, type Case, type Route } from './contract-case';

const PATH = '/api/v1/notifications';

const refused = (rest: string, parameter: string): Case => ({
  it: `rejects ${rest}`,
  path: () => `${PATH}${rest}`,
  status: 422,
  locations: [['query', parameter]],
});

export const NOTIFICATIONS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: PATH,
    cases: [
      {
        it: 'lists none where nothing was told',
        path: () => PATH,
        status: 200,
        answers: () => ({ notifications: [], total: 0, has_more: false }),
      },
      {
        it: 'takes every parameter',
        path: (world) => `${PATH}?limit=100&offset=40&unread_only=true&dataset_id=${world.ready}`,
        status: 200,
        answers: () => ({ notifications: [], total: 0, has_more: false }),
      },
      refused('?limit=0', 'limit'),
      refused('?limit=101', 'limit'),
      refused('?limit=ten', 'limit'),
      refused('?offset=-1', 'offset'),
      refused('?unread_only=maybe', 'unread_only'),
      refused('?dataset_id=mine', 'dataset_id'),
    ],
  },
  {
    method: 'GET',
    route: `${PATH}/unread-count`,
    cases: [
      { it: 'counts none', path: () => `${PATH}/unread-count`, status: 200, answers: () => ({ count: 0 }) },
      refused('/unread-count?dataset_id=mine', 'dataset_id'),
    ],
  },
  {
    method: 'POST',
    route: `${PATH}/read-all`,
    cases: [
      {
        it: 'has nothing to mark',
        path: () => `${PATH}/read-all`,
        status: 200,
        answers: () => ({ ok: true, count: 0 }),
      },
      refused('/read-all?dataset_id=mine', 'dataset_id'),
    ],
  },
  {
    method: 'POST',
    route: `${PATH}/{notification_id}/read`,
    cases: [
      {
        it: 'rejects an unknown notification',
        path: () => `${PATH}/${NOBODY}/read`,
        status: 404,
        detail: 'Notification not found',
      },
      {
        it: 'requires a UUID',
        path: () => `${PATH}/first/read`,
        status: 422,
        locations: [['path', 'notification_id']],
      },
    ],
  },
  {
    method: 'GET',
    route: `${PATH}/stream`,
    cases: [
      unknownDataset((id) => `${PATH}/stream?dataset_id=${id}`)[0]!,
      refused('/stream?dataset_id=mine', 'dataset_id'),
    ],
  },
];
