import { unknownDataset, type Case, type Route, type World } from './contract-case';

const inviting = (world: World): string => `/api/v1/manage/${world.ready}/invite`;
const sharing = (world: World, query = ''): string => `/api/v1/manage/${world.ready}/share${query}`;

const badInvitations: readonly [string, object, string][] = [
  ['an address', {}, 'grant_to_user_email'],
  ['an address that is not empty', { grant_to_user_email: ' ' }, 'grant_to_user_email'],
  ['an address that is a text', { grant_to_user_email: ['a@example.com'] }, 'grant_to_user_email'],
  ['an address of a sensible length', { grant_to_user_email: 'x'.repeat(321) }, 'grant_to_user_email'],
  ['a role that can be given', { grant_to_user_email: 'a@example.com', role: 'owner' }, 'role'],
];

const invitation = () => ({ grant_to_user_email: 'admin@localhost' });

export const SHARING_CONTRACT: readonly Route[] = [
  {
    method: 'PUT',
    route: '/api/v1/manage/{dataset_id}/invite',
    cases: [
      {
        it: 'changes nothing for the owner',
        path: inviting,
        body: invitation,
        status: 200,
        answers: () => null,
      },
      {
        it: 'rejects an unknown user',
        path: inviting,
        body: () => ({ grant_to_user_email: 'nobody@example.com', role: 'editor' }),
        status: 404,
        detail: 'No user of this workspace has this e-mail address',
      },
      ...badInvitations.map(([what, body, field]): Case => ({
        it: `requires ${what}`,
        path: inviting,
        body: () => body,
        status: 422,
        locations: [['body', field]],
      })),
      ...unknownDataset((id) => `/api/v1/manage/${id}/invite`).map((each) => ({ ...each, body: invitation })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/manage/{dataset_id}/share',
    cases: [
      {
        it: 'returns a plain array, the owner first',
        path: sharing,
        status: 200,
        answers: () => [{ email: 'admin@localhost', role: 'owner' }],
      },
      ...unknownDataset((id) => `/api/v1/manage/${id}/share`),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/manage/{dataset_id}/share',
    cases: [
      {
        it: 'knows nobody by that address',
        path: (world) => sharing(world, '?email=nobody@example.com'),
        status: 404,
        detail: 'The dataset is not shared with this user',
      },
      {
        it: 'leaves the owner in',
        path: (world) => sharing(world, '?email=admin@localhost'),
        status: 400,
        detail: 'The owner of a dataset always has access to it',
      },
      { it: 'requires an address', path: sharing, status: 422, locations: [['query', 'email']] },
      ...unknownDataset((id) => `/api/v1/manage/${id}/share?email=a@example.com`),
    ],
  },
];
