import { randomUUID } from 'node:crypto';
import { DEFAULT_WORKSPACE } from '../../../src/modules/workspaces';
import { ApiClient } from '../../support/api-client';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { startTestApp, type TestApp } from '../../support/test-app';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string;
const WORKSPACES = '/api/v1/workspaces';
const ORGANIZATIONS = '/api/v1/organizations';
const MEMBERS = '/api/v1/workspace/members';
const ACCESS = '/api/v1/workspace/settings/access';

const permissions = (role: 'admin' | 'editor' | 'viewer') => ({
  can_view: true,
  can_manage_members: role === 'admin',
  can_edit_roles: role === 'admin',
  can_create_dataset: role !== 'viewer',
});

describe('workspaces, organizations and members', () => {
  let running: TestApp;
  let admin: SignedIn;
  let editor: SignedIn;
  let viewer: SignedIn;
  let outsider: SignedIn;
  const other = { workspace: randomUUID(), organization: randomUUID() };

  beforeAll(async () => {
    running = await startTestApp(OIDC_VARIABLES);
    await running.database.dataSource.query(
      `INSERT INTO organization (id, name, created_at) VALUES ($1, 'Other', now())`,
      [other.organization],
    );
    await running.database.dataSource.query(
      `INSERT INTO workspace (id, organization_id, name, created_at) VALUES ($1, $2, 'Other', now())`,
      [other.workspace, other.organization],
    );
    admin = await signedIn(running, { email: 'admin@example.com', role: 'admin' });
    editor = await signedIn(running, { email: 'editor@example.com', role: 'editor' });
    // The provider gave no address, so the username is used instead.
    viewer = await signedIn(running, { email: 'viewer', role: 'viewer' });
    outsider = await signedIn(running, { email: 'out@example.com', role: 'admin', workspaceId: other.workspace });
  });

  afterAll(() => running.close());

  it.each(['admin', 'editor', 'viewer'] as const)('returns the permissions of a %s', async (role) => {
    const { api } = { admin, editor, viewer }[role];
    const workspace = {
      id: DEFAULT_WORKSPACE.id,
      organization_id: '00000000-0000-0000-0000-000000000001',
      name: 'Default Workspace',
      created_at: TIME,
      updated_at: null,
      permissions: permissions(role),
    };
    expect(await api.must(200, 'GET', WORKSPACES)).toEqual({ workspaces: [workspace] });
    expect(await api.must(200, 'GET', `${WORKSPACES}/${DEFAULT_WORKSPACE.id}`)).toEqual(workspace);
    expect(await api.must(200, 'GET', ACCESS)).toEqual({ can_access: true, can_manage: role === 'admin', role });
  });

  it('lists the workspaces of an organization', async () => {
    const of = (organization: string) => editor.api.must(200, 'GET', `${WORKSPACES}?organization_id=${organization}`);
    expect(await of('00000000-0000-0000-0000-000000000001')).toMatchObject({
      workspaces: [{ name: DEFAULT_WORKSPACE.name }],
    });
    expect(await of(other.organization)).toEqual({ workspaces: [] });
  });

  it('lists the organizations of the user', async () => {
    const organization = { id: other.organization, name: 'Other', created_at: TIME, updated_at: null };
    expect(await outsider.api.must(200, 'GET', ORGANIZATIONS)).toEqual({ organizations: [organization] });
    expect(await outsider.api.must(200, 'GET', `${ORGANIZATIONS}/${other.organization}`)).toEqual(organization);
  });

  it.each([
    [`${WORKSPACES}/${other.workspace}`, 'Workspace not found'],
    [`${WORKSPACES}/${randomUUID()}`, 'Workspace not found'],
    [`${MEMBERS}?workspace_id=${other.workspace}`, 'Workspace not found'],
    [`${ORGANIZATIONS}/${other.organization}`, 'Organization not found'],
    [`${ORGANIZATIONS}/${randomUUID()}`, 'Organization not found'],
  ])('returns 404 for %s', async (path, detail) => {
    expect(await admin.api.ask('GET', path)).toMatchObject({ status: 404, body: { detail } });
  });

  it('gives no access to the settings of other workspaces', async () => {
    expect(await admin.api.must(200, 'GET', `${ACCESS}?workspace_id=${other.workspace}`)).toEqual({
      can_access: false,
      can_manage: false,
      role: null,
    });
  });

  it('lists the members of a workspace, without the local admin', async () => {
    const member = ({ userId, email }: SignedIn, role: string) => ({
      user_id: userId,
      username: email.split('@')[0],
      email: email.includes('@') ? email : null,
      firstName: email.split('@')[0],
      lastName: 'Tester',
      role,
      created_at: TIME,
    });
    const members = [member(admin, 'admin'), member(editor, 'editor'), member(viewer, 'viewer')];
    expect(await viewer.api.must(200, 'GET', MEMBERS)).toEqual({ members, total: 3 });
    expect(await viewer.api.must(200, 'GET', `${MEMBERS}?workspace_id=${DEFAULT_WORKSPACE.id}`)).toMatchObject({
      total: 3,
    });
    expect(await outsider.api.must(200, 'GET', MEMBERS)).toMatchObject({ total: 1, members: [{ role: 'admin' }] });
  });

  it.each([
    `${WORKSPACES}/mine`,
    `${WORKSPACES}?organization_id=mine`,
    `${MEMBERS}?workspace_id=mine`,
    `${ACCESS}?workspace_id=mine`,
    `${ORGANIZATIONS}/mine`,
  ])('returns 400 for a mistake in %s', async (path) => {
    expect(await admin.api.ask('GET', path)).toMatchObject({
      status: 400,
      body: { detail: [{ msg: 'Input should be a valid UUID', input: 'mine' }] },
    });
  });

  it.each([WORKSPACES, MEMBERS, ACCESS, ORGANIZATIONS])('refuses %s without authentication', async (path) => {
    expect((await new ApiClient(running.url).ask('GET', path)).status).toBe(401);
  });
});

describe('workspaces of a service in the cloud', () => {
  let running: TestApp;

  beforeAll(async () => {
    running = await startTestApp({ ...OIDC_VARIABLES, RUN_MODE: 'CLOUD' });
  });

  afterAll(() => running.close());

  it.each([WORKSPACES, MEMBERS, ACCESS, ORGANIZATIONS])('does not serve %s', async (path) => {
    const { api } = await signedIn(running, { email: `${randomUUID()}@example.com`, role: 'admin' });
    expect((await api.ask('GET', path)).status).toBe(403);
  });
});
