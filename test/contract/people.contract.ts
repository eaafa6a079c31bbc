import { NOBODY, TIME, type Case, type Route } from './contract-case';

const USERS = '/api/v1/idp/admin/users';
const FIRST = '00000000-0000-0000-0000-000000000001';

/** Without sign-in there are no users to manage, and the request is not validated. */
const off = (path: string, body?: object): Case[] => [
  {
    it: 'is off where nobody signs in',
    path: () => path,
    ...(body === undefined ? {} : { body: () => body }),
    status: 403,
    detail: 'User management is not enabled',
  },
];

const USER_ROUTES: readonly Route[] = [
  { method: 'GET', route: USERS, cases: off(`${USERS}?max_results=0`) },
  { method: 'POST', route: USERS, cases: off(USERS, {}) },
  { method: 'GET', route: `${USERS}/{user_id}`, cases: off(`${USERS}/${FIRST}`) },
  { method: 'PATCH', route: `${USERS}/{user_id}`, cases: off(`${USERS}/${FIRST}`, {}) },
  { method: 'DELETE', route: `${USERS}/{user_id}`, cases: off(`${USERS}/${FIRST}`) },
  { method: 'POST', route: `${USERS}/{user_id}/reset-password`, cases: off(`${USERS}/${FIRST}/reset-password`, {}) },
  { method: 'POST', route: `${USERS}/{user_id}/logout`, cases: off(`${USERS}/${FIRST}/logout`) },
  { method: 'GET', route: `${USERS}/{user_id}/sessions`, cases: off(`${USERS}/${FIRST}/sessions`) },
  { method: 'PUT', route: `${USERS}/{user_id}/roles`, cases: off(`${USERS}/${FIRST}/roles`, {}) },
];

const workspace = {
  id: FIRST,
  organization_id: FIRST,
  name: 'Default Workspace',
  created_at: TIME,
  updated_at: null,
  permissions: { can_view: true, can_manage_members: true, can_edit_roles: true, can_create_dataset: true },
};
const organization = { id: FIRST, name: 'Default Organization', created_at: TIME, updated_at: null };
const localAdmin = {
  user_id: FIRST,
  username: 'admin@localhost',
  email: 'admin@localhost',
  firstName: null,
  lastName: null,
  role: 'admin',
  created_at: TIME,
};

const answered = (it: string, path: string, answer: unknown): Case => ({
  it,
  path: () => path,
  status: 200,
  answers: () => answer,
});
const missing = (path: string, what: string): Case => ({
  it: `does not know another ${what.toLowerCase()}`,
  path: () => path,
  status: 404,
  detail: `${what} not found`,
});
const invalid = (path: string, ...location: string[]): Case => ({
  it: `requires a UUID for ${location[1]}`,
  path: () => path,
  status: 400,
  locations: [location],
});

const WORKSPACE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/workspaces',
    cases: [
      answered('lists those of the caller', '/api/v1/workspaces', { workspaces: [workspace] }),
      answered('lists those of an organization', `/api/v1/workspaces?organization_id=${FIRST}`, {
        workspaces: [workspace],
      }),
      answered('lists none of another', `/api/v1/workspaces?organization_id=${NOBODY}`, { workspaces: [] }),
      invalid('/api/v1/workspaces?organization_id=mine', 'query', 'organization_id'),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/workspaces/{workspace_id}',
    cases: [
      answered('shows one', `/api/v1/workspaces/${FIRST}`, workspace),
      missing(`/api/v1/workspaces/${NOBODY}`, 'Workspace'),
      invalid('/api/v1/workspaces/mine', 'path', 'workspace_id'),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/workspace/members',
    cases: [
      answered('lists the local admin', '/api/v1/workspace/members', { members: [localAdmin], total: 1 }),
      missing(`/api/v1/workspace/members?workspace_id=${NOBODY}`, 'Workspace'),
      invalid('/api/v1/workspace/members?workspace_id=mine', 'query', 'workspace_id'),
    ],
  },
  {
    method: 'PUT',
    route: '/api/v1/workspace/members/{member_user_id}/role',
    cases: [
      {
        it: 'does not change the role of the caller',
        path: () => `/api/v1/workspace/members/${FIRST}/role`,
        body: () => ({ role: 'viewer' }),
        status: 400,
        detail: 'You cannot change your own role',
      },
      { ...missing(`/api/v1/workspace/members/${NOBODY}/role`, 'Member'), body: () => ({ role: 'viewer' }) },
      {
        ...missing(`/api/v1/workspace/members/${NOBODY}/role`, 'Workspace'),
        body: () => ({ role: 'viewer', workspace_id: NOBODY }),
      },
      { ...invalid('/api/v1/workspace/members/me/role', 'path', 'member_user_id'), body: () => ({ role: 'viewer' }) },
      {
        it: 'requires a role that there is',
        path: () => `/api/v1/workspace/members/${NOBODY}/role`,
        body: () => ({ role: 'owner' }),
        status: 400,
        locations: [['body', 'role']],
      },
      {
        it: 'requires a role',
        path: () => `/api/v1/workspace/members/${NOBODY}/role`,
        body: () => ({}),
        status: 400,
        locations: [['body', 'role']],
      },
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/workspace/settings/access',
    cases: [
      answered('lets the local admin manage', '/api/v1/workspace/settings/access', {
        can_access: true,
        can_manage: true,
        role: 'admin',
      }),
      answered('gives no access elsewhere', `/api/v1/workspace/settings/access?workspace_id=${NOBODY}`, {
        can_access: false,
        can_manage: false,
        role: null,
      }),
      invalid('/api/v1/workspace/settings/access?workspace_id=mine', 'query', 'workspace_id'),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/me',
    cases: [
      answered('tells who the caller is', '/api/v1/me', {
        user_id: FIRST,
        email: localAdmin.email,
        name: expect.any(String) as unknown,
      }),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/organizations',
    cases: [answered('lists those of the caller', '/api/v1/organizations', { organizations: [organization] })],
  },
  {
    method: 'GET',
    route: '/api/v1/organizations/{organization_id}',
    cases: [
      answered('shows one', `/api/v1/organizations/${FIRST}`, organization),
      missing(`/api/v1/organizations/${NOBODY}`, 'Organization'),
      invalid('/api/v1/organizations/mine', 'path', 'organization_id'),
    ],
  },
];

export const PEOPLE_CONTRACT: readonly Route[] = [...USER_ROUTES, ...WORKSPACE_ROUTES];
