import { randomUUID } from 'node:crypto';
import { Sessions } from '../../../src/modules/auth';
import { ADMIN_REALM_ROLES } from '../../../src/modules/idp-admin/domain/provider-user';
import { managed, startManagedApp, type ManagedApp } from '../../support/managed-users';
import { signedIn, type SignedIn } from '../../support/principals';

const USERS = '/api/v1/idp/admin/users';
const PASSWORD = 'correct horse';

interface UserAnswer {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
}

interface StoredUser {
  readonly id: string;
  readonly role: string | null;
  readonly realm_roles: readonly string[];
}

const body = (more: object = {}) => ({
  username: `user-${randomUUID().slice(0, 8)}`,
  password: PASSWORD,
  firstName: 'New',
  lastName: 'Person',
  ...more,
});

describe('user management', () => {
  let running: ManagedApp;
  let manager: SignedIn;
  /** Manages users, but is not an admin of the workspace. */
  let helper: SignedIn;
  let watcher: SignedIn;
  let counter = 0;

  beforeAll(async () => {
    running = await startManagedApp();
    const realmRoles = [...ADMIN_REALM_ROLES];
    manager = await managed(running, { email: 'manager@example.com', role: 'admin', realmRoles });
    helper = await managed(running, { email: 'helper@example.com', role: 'editor', realmRoles });
    watcher = await managed(running, { email: 'watcher@example.com', role: 'viewer', realmRoles: ['view-users'] });
  });

  afterAll(() => running.close());

  const somebody = (more: Partial<Parameters<typeof managed>[1]> = {}) =>
    managed(running, { email: `person-${(counter += 1)}@example.com`, role: 'viewer', ...more });

  const stored = async (subject: string): Promise<StoredUser | undefined> =>
    (
      await running.database.dataSource.query<StoredUser[]>(
        `SELECT id, role, realm_roles FROM app_user LEFT JOIN workspace_member ON user_id = id WHERE subject = $1`,
        [subject],
      )
    )[0];

  const audited = async (action: string, subject: string): Promise<unknown[]> =>
    running.database.dataSource.query('SELECT * FROM audit_entry WHERE action = $1 AND subject = $2', [
      action,
      subject,
    ]);

  const inBrowser = async ({ userId, subject }: SignedIn): Promise<() => Promise<boolean>> => {
    const sessions = running.app.get(Sessions, { strict: false });
    const token = await sessions.begin({ userId, subject, providerSid: null, idToken: 'unread' });
    return async () => (await sessions.find(token)) !== undefined;
  };

  describe('listing', () => {
    it('returns pages and the total number of matches', async () => {
      for (const name of ['pager-a', 'pager-b', 'pager-c']) running.provider.add({ username: name });
      const page = await watcher.api.must<{ users: UserAnswer[]; total: number }>(
        200,
        'GET',
        `${USERS}?search=PAGER&max_results=2&first=1`,
      );
      expect(page).toEqual({
        users: ['pager-b', 'pager-c'].map((username) => ({
          id: expect.any(String) as string,
          username,
          firstName: 'Some',
          lastName: 'Body',
          enabled: true,
          createdTimestamp: expect.any(Number) as number,
          roles: ['default-roles-media'],
          lastAccess: null,
        })),
        total: 3,
      });
    });

    it('finds users by either id', async () => {
      const { userId, subject, username } = await somebody();
      for (const id of [userId, subject, subject.toUpperCase()])
        expect(await watcher.api.must(200, 'GET', `${USERS}/${id}`)).toMatchObject({ id: subject, username });
    });

    it('returns sessions', async () => {
      const { subject, username } = await somebody();
      running.provider.signIn(username, 'a-long-password');
      expect(await watcher.api.must(200, 'GET', `${USERS}/${subject}/sessions`)).toEqual({
        sessions: [
          {
            id: expect.any(String) as string,
            username,
            ipAddress: '127.0.0.1',
            start: expect.any(Number) as number,
            lastAccess: expect.any(Number) as number,
            clients: expect.any(Object) as object,
          },
        ],
        total: 1,
      });
      expect(await watcher.api.must(200, 'GET', `${USERS}/${subject}`)).toMatchObject({
        lastAccess: expect.any(Number) as number,
      });
    });
  });

  describe('creating', () => {
    it('creates a user here and at the provider', async () => {
      const user = body({ workspace_role: 'editor' });
      const made = await manager.api.must<UserAnswer>(201, 'POST', USERS, user);
      expect(made).toEqual({
        id: expect.any(String) as string,
        username: user.username,
        firstName: 'New',
        lastName: 'Person',
        enabled: true,
        createdTimestamp: expect.any(Number) as number,
        roles: ['default-roles-media'],
        lastAccess: null,
      });
      expect(await stored(made.id)).toMatchObject({ role: 'editor', realm_roles: ['default-roles-media'] });
      expect(running.provider.signIn(user.username, PASSWORD)).toBe('signed in');
      expect(await audited('user_created', (await stored(made.id))!.id)).toHaveLength(1);
    });

    it('creates an enabled viewer by default', async () => {
      const { id } = await manager.api.must<UserAnswer>(201, 'POST', USERS, body());
      expect(await stored(id)).toMatchObject({ role: 'viewer' });
      const disabled = body({ enabled: false });
      await manager.api.must<UserAnswer>(201, 'POST', USERS, disabled);
      expect(running.provider.signIn(disabled.username, PASSWORD)).toBe('refused');
    });

    it('refuses an existing name', async () => {
      const { username } = await somebody();
      expect(await manager.api.ask('POST', USERS, body({ username: username.toUpperCase() }))).toMatchObject({
        status: 409,
      });
    });

    it('leaves no user at the provider if the database fails', async () => {
      const user = body();
      await running.database.dataSource.query(
        `ALTER TABLE workspace_member ADD CONSTRAINT nobody_joins CHECK (false) NOT VALID`,
      );
      try {
        expect((await manager.api.ask('POST', USERS, user)).status).toBe(500);
      } finally {
        await running.database.dataSource.query('ALTER TABLE workspace_member DROP CONSTRAINT nobody_joins');
      }
      expect((await running.provider.list({ search: user.username, first: 0, max: 10 })).total).toBe(0);
      await manager.api.must(201, 'POST', USERS, user);
    });

    it('leaves no user here if the provider fails', async () => {
      const user = body();
      running.provider.failNext('create');
      expect(await manager.api.ask('POST', USERS, user)).toMatchObject({
        status: 500,
        body: { detail: expect.stringContaining('it cannot be reached') as string },
      });
      await manager.api.must(201, 'POST', USERS, user);
    });

    it.each<[string, object, string]>([
      ['no username', { username: undefined }, 'username'],
      ['a short username', { username: 'ab' }, 'username'],
      ['a long username', { username: 'a'.repeat(256) }, 'username'],
      ['whitespace in the username', { username: 'a b c' }, 'username'],
      ['a control character in the username', { username: 'abc\u0000' }, 'username'],
      ['no password', { password: undefined }, 'password'],
      ['a short password', { password: 'secret!' }, 'password'],
      ['a password that is no text', { password: 12345678 }, 'password'],
      ['no first name', { firstName: undefined }, 'firstName'],
      ['an empty first name', { firstName: '' }, 'firstName'],
      ['a long last name', { lastName: 'x'.repeat(256) }, 'lastName'],
      ['a control character in a name', { lastName: 'x\u0000' }, 'lastName'],
      ['an unknown role', { workspace_role: 'owner' }, 'workspace_role'],
      ['text for enabled', { enabled: 'yes' }, 'enabled'],
    ])('returns 400 for %s', async (_, more, field) => {
      const { status, body: answer } = await manager.api.ask('POST', USERS, body(more));
      expect({ status, answer }).toMatchObject({ status: 400, answer: { detail: [{ loc: ['body', field] }] } });
      if (field === 'password') expect(answer).toMatchObject({ detail: [{ input: null }] });
    });
  });

  describe('changing', () => {
    it('renames a user', async () => {
      const { subject, userId } = await somebody();
      const username = `renamed-${randomUUID().slice(0, 8)}`;
      expect(await manager.api.must(200, 'PATCH', `${USERS}/${userId}`, { username })).toMatchObject({ username });
      expect(await running.provider.find(subject)).toMatchObject({ username });
      expect(await audited('user_changed', userId)).toHaveLength(1);
    });

    it('refuses an existing name, and leaves no pending work', async () => {
      const [{ subject }, { username }] = [await somebody(), await somebody()];
      expect((await manager.api.ask('PATCH', `${USERS}/${subject}`, { username })).status).toBe(409);
      expect(await running.database.dataSource.query('SELECT * FROM provider_work')).toEqual([]);
    });

    it('refuses all credentials of a disabled user', async () => {
      const person = await somebody();
      const isSignedIn = await inBrowser(person);
      running.provider.signIn(person.username, 'a-long-password');
      const answer = await manager.api.must(200, 'PATCH', `${USERS}/${person.subject}`, { enabled: false });
      expect(answer).toMatchObject({ enabled: false });
      expect(await isSignedIn()).toBe(false);
      expect(await running.provider.sessions(person.subject)).toEqual([]);
      expect((await person.api.ask('GET', '/api/v1/datasets')).status).toBe(401);
      await manager.api.must(200, 'PATCH', `${USERS}/${person.subject}`, { enabled: true });
      expect((await person.api.ask('GET', '/api/v1/datasets')).status).toBe(200);
    });

    it.each([{}, { username: 'a b' }, { username: 'ab' }, { enabled: 'no' }, { firstName: 'Only' }])(
      'returns 400 for %j',
      async (changes) => {
        const { subject } = await somebody();
        expect((await manager.api.ask('PATCH', `${USERS}/${subject}`, changes)).status).toBe(400);
      },
    );
  });

  describe('passwords and sessions', () => {
    it('sets a temporary password and signs the user out everywhere', async () => {
      const person = await somebody();
      const isSignedIn = await inBrowser(person);
      running.provider.signIn(person.username, 'a-long-password');
      const path = `${USERS}/${person.userId}/reset-password`;
      expect(await manager.api.must(200, 'POST', path, { password: PASSWORD })).toEqual({
        message: 'Password reset successfully',
      });
      expect(running.provider.signIn(person.username, PASSWORD)).toBe('must change the password');
      expect(await isSignedIn()).toBe(false);
      expect(await running.provider.sessions(person.subject)).toEqual([]);
      expect(await audited('password_reset', person.userId)).toHaveLength(1);
      expect((await manager.api.ask('POST', path, { password: 'short' })).status).toBe(400);
    });

    it('signs the user out everywhere', async () => {
      const person = await somebody();
      const isSignedIn = await inBrowser(person);
      running.provider.signIn(person.username, 'a-long-password');
      expect(await manager.api.must(200, 'POST', `${USERS}/${person.subject}/logout`)).toEqual({
        message: 'User logged out successfully',
      });
      expect(await isSignedIn()).toBe(false);
      expect(await running.provider.sessions(person.subject)).toEqual([]);
    });
  });

  describe('realm roles', () => {
    it('are replaced, ignoring unknown ones', async () => {
      const { subject } = await somebody({ realmRoles: ['annotator'] });
      const roles = ['reviewer', 'view-users', 'emperor'];
      expect(await manager.api.must<UserAnswer>(200, 'PUT', `${USERS}/${subject}/roles`, { roles })).toMatchObject({
        roles: ['default-roles-media', 'reviewer', 'view-users'],
      });
      expect((await stored(subject))!.realm_roles).toEqual(['default-roles-media', 'reviewer', 'view-users']);
    });

    it('take effect at the next request', async () => {
      const person = await somebody({ realmRoles: ['view-users'] });
      expect((await person.api.ask('GET', USERS)).status).toBe(200);
      await manager.api.must(200, 'PUT', `${USERS}/${person.subject}/roles`, { roles: [] });
      expect(await person.api.ask('GET', USERS)).toMatchObject({ status: 403 });
    });

    it.each([{}, { roles: 'view-users' }, { roles: [1] }])('returns 400 for %j', async (roles) => {
      expect((await manager.api.ask('PUT', `${USERS}/${watcher.subject}/roles`, roles)).status).toBe(400);
    });
  });

  describe('deleting', () => {
    it('removes all data of the user, and transfers their datasets to the caller', async () => {
      const person = await somebody({ role: 'editor' });
      const { dataset_id: id } = await person.api.must<{ dataset_id: string }>(
        200,
        'GET',
        '/api/v1/ingestion/new_dataset?dataset_name=Heirloom',
      );
      await running.database.dataSource.query(
        `INSERT INTO tag (dataset_id, id, name, name_key, created_by, created_at) VALUES ($1, $2, 'mine', 'mine', $3, now())`,
        [id, randomUUID(), person.userId],
      );
      expect(await helper.api.must(200, 'DELETE', `${USERS}/${person.userId}`)).toEqual({
        message: 'User deleted successfully',
      });
      expect(await stored(person.subject)).toBeUndefined();
      expect(await running.provider.find(person.subject)).toBeUndefined();
      expect((await person.api.ask('GET', '/api/v1/datasets')).status).toBe(401);
      expect((await helper.api.ask('GET', `/api/v1/dataset/${id}`)).status).toBe(200);
      expect(await manager.api.ask('DELETE', `${USERS}/${person.userId}`)).toMatchObject({
        status: 404,
        body: { detail: 'User not found' },
      });
      expect(await audited('user_deleted', person.userId)).toHaveLength(1);
    });

    it('deletes users who exist on one side only', async () => {
      const { id } = running.provider.add({ username: 'never-came' });
      await manager.api.must(200, 'DELETE', `${USERS}/${id}`);
      expect(await running.provider.find(id)).toBeUndefined();
      const gone = await signedIn(running, { email: 'gone@example.com', role: 'viewer' });
      await manager.api.must(200, 'DELETE', `${USERS}/${gone.userId}`);
      expect(await stored(gone.subject)).toBeUndefined();
    });

    it('is refused for the caller', async () => {
      for (const id of [manager.userId, manager.subject])
        expect(await manager.api.ask('DELETE', `${USERS}/${id}`)).toMatchObject({
          status: 400,
          body: { detail: 'You cannot delete your own account' },
        });
    });

    it('is refused for the last admin', async () => {
      expect(await helper.api.ask('DELETE', `${USERS}/${manager.userId}`)).toMatchObject({
        status: 400,
        body: { detail: 'The last admin cannot be deleted' },
      });
      const second = await somebody({ role: 'admin' });
      expect((await helper.api.ask('DELETE', `${USERS}/${second.userId}`)).status).toBe(403);
      await manager.api.must(200, 'DELETE', `${USERS}/${second.userId}`);
      expect((await helper.api.ask('DELETE', `${USERS}/${manager.userId}`)).status).toBe(400);
      expect((await manager.api.ask('GET', '/api/v1/datasets')).status).toBe(200);
    });

    it('changes nothing while the provider is down', async () => {
      const person = await somebody();
      running.provider.failNext('find');
      expect((await manager.api.ask('DELETE', `${USERS}/${person.userId}`)).status).toBe(500);
      expect((await person.api.ask('GET', '/api/v1/datasets')).status).toBe(200);
    });
  });

  describe('access', () => {
    const requests = (id: string): readonly (readonly [string, string, object?])[] => [
      ['GET', USERS],
      ['GET', `${USERS}/${id}`],
      ['GET', `${USERS}/${id}/sessions`],
      ['POST', USERS, body()],
      ['PATCH', `${USERS}/${id}`, { enabled: true }],
      ['DELETE', `${USERS}/${id}`],
      ['POST', `${USERS}/${id}/reset-password`, { password: PASSWORD }],
      ['POST', `${USERS}/${id}/logout`],
      ['PUT', `${USERS}/${id}/roles`, { roles: [] }],
    ];

    it('requires the realm role of the request, not a role of the workspace', async () => {
      const { userId } = await somebody();
      const admin = await managed(running, { email: 'plain-admin@example.com', role: 'admin' });
      for (const [method, path, sent] of requests(userId)) {
        expect((await admin.api.ask(method, path, sent)).status).toBe(403);
        if (method !== 'GET') expect((await watcher.api.ask(method, path, sent)).status).toBe(403);
      }
    });

    it('returns 404 for other ids', async () => {
      for (const [method, path, sent] of requests(randomUUID()).filter((request) => request[1] !== USERS)) {
        const { status, body: answer } = await manager.api.ask(method, path, sent);
        expect({ method, path, status, answer }).toMatchObject({ status: 404, answer: { detail: 'User not found' } });
      }
    });

    it.each(['..%2F..%2Fclients', '%2e%2e', 'a%20b', 'a%3Fb', 'a%00b'])('refuses a path as an id: %s', async (id) => {
      for (const method of ['GET', 'DELETE'])
        expect([400, 404]).toContain((await manager.api.ask(method, `${USERS}/${id}`)).status);
    });

    it.each(['max_results=0', 'max_results=1001', 'first=-1', 'first=x', 'search=%00'])(
      'returns 400 for ?%s',
      async (query) => {
        expect((await manager.api.ask('GET', `${USERS}?${query}`)).status).toBe(400);
      },
    );

    it('does not include the local admin', async () => {
      const id = '00000000-0000-0000-0000-000000000001';
      expect((await manager.api.ask('DELETE', `${USERS}/${id}`)).status).toBe(404);
    });
  });
});
