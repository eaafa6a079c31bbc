import { randomUUID } from 'node:crypto';
import { Sessions } from '../../../src/modules/auth';
import { ADMIN_REALM_ROLES } from '../../../src/modules/idp-admin/domain/provider-user';
import { ProviderWorkSweep } from '../../../src/modules/idp-admin/provider-work.runner';
import { DEFAULT_WORKSPACE, WorkspaceMemberRepository } from '../../../src/modules/workspaces';
import { managed, startManagedApp, type ManagedApp } from '../../support/managed-users';
import { type SignedIn } from '../../support/principals';
import { waitUntil } from '../../support/wait-until';

const USERS = '/api/v1/idp/admin/users';
const MEMBERS = '/api/v1/workspace/members';
const LOCAL_ADMIN = '00000000-0000-0000-0000-000000000001';
const PROMOTIONS = 100;

type Person = SignedIn & { readonly username: string };

describe('the role of a member', () => {
  let running: ManagedApp;
  let admin: Person;
  let counter = 0;

  beforeAll(async () => {
    running = await startManagedApp();
  });

  beforeEach(async () => {
    await running.database.dataSource.query('DELETE FROM workspace_member WHERE user_id <> $1', [LOCAL_ADMIN]);
    admin = await person('admin', [...ADMIN_REALM_ROLES]);
  });

  afterAll(() => running.close());

  const person = (role: 'admin' | 'editor' | 'viewer', realmRoles: readonly string[] = []): Promise<Person> =>
    managed(running, { email: `person-${(counter += 1)}@example.com`, role, realmRoles });

  const change = (by: SignedIn, whom: string, body: object) => by.api.ask('PUT', `${MEMBERS}/${whom}/role`, body);

  const rolesOf = async (): Promise<Record<string, string>> => {
    const rows = await running.database.dataSource.query<{ user_id: string; role: string }[]>(
      'SELECT user_id, role FROM workspace_member WHERE user_id <> $1',
      [LOCAL_ADMIN],
    );
    return Object.fromEntries(rows.map((row) => [row.user_id, row.role]));
  };

  const atProvider = async ({ subject }: SignedIn): Promise<readonly string[]> =>
    (await running.provider.find(subject))!.roles;

  const inBrowser = async ({ userId, subject, username }: Person): Promise<() => Promise<boolean>> => {
    const sessions = running.app.get(Sessions, { strict: false });
    const token = await sessions.begin({ userId, subject, providerSid: null, idToken: 'unread' });
    running.provider.signIn(username, 'a-long-password');
    return async () =>
      (await sessions.find(token)) !== undefined || (await running.provider.sessions(subject)).length > 0;
  };

  const workLeft = () => running.database.dataSource.query<unknown[]>('SELECT * FROM provider_work');

  it('takes effect at the next request', async () => {
    const editor = await person('editor');
    expect((await editor.api.ask('GET', '/api/v1/ingestion/new_dataset?dataset_name=One')).status).toBe(200);
    expect(await change(admin, editor.userId, { role: 'viewer' })).toMatchObject({
      status: 200,
      body: { user_id: editor.userId, username: editor.username, email: editor.email, role: 'viewer' },
    });
    expect((await editor.api.ask('GET', '/api/v1/ingestion/new_dataset?dataset_name=Two')).status).toBe(403);
  });

  it('of admin moves to the promoted member, who becomes the only admin', async () => {
    const editor = await person('editor');
    const [adminIn, editorIn] = [await inBrowser(admin), await inBrowser(editor)];
    expect(await change(admin, editor.userId, { role: 'admin', workspace_id: DEFAULT_WORKSPACE.id })).toMatchObject({
      status: 200,
      body: { role: 'admin' },
    });
    expect(await rolesOf()).toEqual({ [admin.userId]: 'editor', [editor.userId]: 'admin' });
    expect(await atProvider(editor)).toEqual(expect.arrayContaining([...ADMIN_REALM_ROLES]));
    expect(await atProvider(admin)).toEqual(['default-roles-media']);
    expect([await adminIn(), await editorIn()]).toEqual([false, false]);
    expect((await admin.api.ask('GET', USERS)).status).toBe(403);
    expect((await editor.api.ask('GET', USERS)).status).toBe(200);
    expect(await workLeft()).toEqual([]);
  });

  it('of viewer removes datasets and editing rights', async () => {
    const [owner, editor] = [await person('editor'), await person('editor')];
    const own = await editor.api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Own',
    );
    const shared = await owner.api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Shared',
    );
    await owner.api.must(200, 'PUT', `/api/v1/manage/${shared.dataset_id}/invite`, {
      grant_to_user_email: editor.email,
      role: 'editor',
    });
    await change(admin, editor.userId, { role: 'viewer' });
    // The datasets and rights do not return with the role.
    await change(admin, editor.userId, { role: 'editor' });
    const query = 'SELECT owner_id FROM dataset WHERE id = $1';
    expect(await running.database.dataSource.query(query, [own.dataset_id])).toEqual([{ owner_id: admin.userId }]);
    expect((await editor.api.ask('GET', `/api/v1/dataset/${own.dataset_id}`)).status).toBe(404);
    const upload = `/api/v1/ingestion/${shared.dataset_id}/data_files`;
    expect((await editor.api.ask('GET', upload)).status).toBe(403);
    expect((await editor.api.ask('GET', `/api/v1/dataset/${shared.dataset_id}`)).status).toBe(200);
  });

  it('of viewer removes the roles that administer users', async () => {
    const other = await person('admin', [...ADMIN_REALM_ROLES]);
    await change(admin, other.userId, { role: 'viewer' });
    expect(await atProvider(other)).toEqual(['default-roles-media']);
    expect((await other.api.ask('GET', USERS)).status).toBe(403);
  });

  it('of admin is exclusive when it is given to a new member', async () => {
    const made = await admin.api.must<{ id: string; roles: string[] }>(201, 'POST', USERS, {
      username: 'successor',
      password: 'correct horse',
      firstName: 'New',
      lastName: 'Admin',
      workspace_role: 'admin',
    });
    expect(made.roles).toEqual(expect.arrayContaining([...ADMIN_REALM_ROLES]));
    expect(Object.values(await rolesOf()).filter((role) => role === 'admin')).toHaveLength(1);
    expect((await admin.api.ask('PUT', `${MEMBERS}/${admin.userId}/role`, { role: 'admin' })).status).toBe(403);
  });

  it('cannot be changed by the member, for non-members, or by non-admins', async () => {
    const [editor, viewer] = [await person('editor'), await person('viewer')];
    expect(await change(admin, admin.userId, { role: 'viewer' })).toMatchObject({
      status: 400,
      body: { detail: 'You cannot change your own role' },
    });
    for (const nobody of [randomUUID(), LOCAL_ADMIN])
      expect(await change(admin, nobody, { role: 'viewer' })).toMatchObject({
        status: 404,
        body: { detail: 'Member not found' },
      });
    expect(await change(admin, viewer.userId, { role: 'editor', workspace_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { detail: 'Workspace not found' },
    });
    for (const by of [editor, viewer]) expect((await change(by, viewer.userId, { role: 'editor' })).status).toBe(403);
    for (const body of [{}, { role: 'owner' }, { role: 'editor', workspace_id: 'mine' }])
      expect((await change(admin, viewer.userId, body)).status).toBe(400);
    expect((await change(admin, 'somebody', { role: 'editor' })).status).toBe(400);
  });

  it('is synchronised to the provider after an outage', async () => {
    const editor = await person('editor');
    running.provider.failNext('find', 100);
    expect((await change(admin, editor.userId, { role: 'admin' })).status).toBe(200);
    expect(await rolesOf()).toEqual({ [admin.userId]: 'editor', [editor.userId]: 'admin' });
    // The loss of the role takes effect here immediately.
    expect((await admin.api.ask('GET', USERS)).status).toBe(403);
    expect(await workLeft()).toHaveLength(2);
    running.provider.failNext('find', 0);
    await running.database.dataSource.query("UPDATE provider_work SET due_at = now() - interval '1 minute'");
    await running.app.get(ProviderWorkSweep, { strict: false }).frequent();
    await waitUntil(async () => (await workLeft()).length === 0);
    expect(await atProvider(editor)).toEqual(expect.arrayContaining([...ADMIN_REALM_ROLES]));
    expect(await atProvider(admin)).toEqual(['default-roles-media']);
  });

  it(`of admin has a single holder after ${PROMOTIONS} promotions at once`, async () => {
    const others: Person[] = [];
    for (let one = 0; one < PROMOTIONS; one += 1) others.push(await person('editor'));
    const answers = await Promise.all(others.map(({ userId }) => change(admin, userId, { role: 'admin' })));
    const admins = Object.entries(await rolesOf()).filter(([, role]) => role === 'admin');
    expect(admins).toHaveLength(1);
    const promoted = others.filter((_, at) => answers[at]!.status === 200).map(({ userId }) => userId);
    expect(promoted).toEqual([admins[0]![0]]);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(PROMOTIONS - 1);
    await waitUntil(async () => (await workLeft()).length === 0);
    const managers = await Promise.all(
      [admin, ...others].map(async (each) => ((await atProvider(each)).includes('manage-users') ? each.userId : null)),
    );
    expect(managers.filter((id) => id !== null)).toEqual(promoted);
  });

  it('of admin has a single holder after many concurrent transfers', async () => {
    const others: Person[] = [];
    for (let one = 0; one < 20; one += 1) others.push(await person('admin', [...ADMIN_REALM_ROLES]));
    await Promise.all(others.map((by, at) => change(by, others[(at + 1) % others.length]!.userId, { role: 'admin' })));
    expect(Object.values(await rolesOf()).filter((role) => role === 'admin')).toHaveLength(1);
  });
});

describe('roles with several workspaces', () => {
  let running: ManagedApp;

  beforeAll(async () => {
    running = await startManagedApp({ SINGLE_WORKSPACE: 'false' });
  });

  afterAll(() => running.close());

  it('allow several admins per workspace', async () => {
    const other = randomUUID();
    await running.database.dataSource.query(
      `INSERT INTO workspace (id, organization_id, name, created_at) VALUES ($1, $2, 'Other', now())`,
      [other, LOCAL_ADMIN],
    );
    const admin = await managed(running, { email: 'first@example.com', role: 'admin' });
    const editor = await managed(running, { email: 'second@example.com', role: 'editor' });
    const [members, createdAt] = [running.app.get(WorkspaceMemberRepository, { strict: false }), new Date()];
    for (const [{ userId }, role] of [
      [admin, 'viewer'],
      [editor, 'admin'],
    ] as const)
      await members.insert({ workspaceId: other, userId, role, createdAt });
    await admin.api.must(200, 'PUT', `${MEMBERS}/${editor.userId}/role`, { role: 'admin' });
    const { members: listed } = await editor.api.must<{ members: { role: string }[] }>(200, 'GET', MEMBERS);
    expect(listed.map(({ role }) => role)).toEqual(['admin', 'admin']);
    const there = { role: 'viewer', workspace_id: other };
    expect((await admin.api.ask('PUT', `${MEMBERS}/${editor.userId}/role`, there)).status).toBe(403);
    const path = '/api/v1/ingestion/new_dataset?dataset_name=Here';
    const { dataset_id: id } = await admin.api.must<{ dataset_id: string }>(200, 'GET', path);
    const role = `${MEMBERS}/${admin.userId}/role`;
    await editor.api.must(200, 'PUT', role, { role: 'editor', workspace_id: other });
    await editor.api.must(200, 'PUT', role, there);
    const owners = await running.database.dataSource.query<unknown[]>('SELECT owner_id FROM dataset WHERE id = $1', [
      id,
    ]);
    expect(owners).toEqual([{ owner_id: admin.userId }]);
    await editor.api.must(200, 'PUT', role, { role: 'viewer' });
    expect(await running.database.dataSource.query('SELECT owner_id FROM dataset WHERE id = $1', [id])).toEqual([
      { owner_id: editor.userId },
    ]);
  });
});
