import {
  IdentityProviderError,
  ADMIN_REALM_ROLES,
  type NewProviderUser,
  type ProviderUser,
} from '../../../src/modules/idp-admin/domain/provider-user';
import { ProviderWorkSweep } from '../../../src/modules/idp-admin/provider-work.runner';
import { UserCreationSweep } from '../../../src/modules/idp-admin/undo-creation.step';
import { FakeIdentityProvider } from '../../support/fake-identity-provider';
import { managed, startManagedApp, type ManagedApp } from '../../support/managed-users';
import { OIDC_VARIABLES, tokenOf, type SignedIn } from '../../support/principals';
import { sameInstallation } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const USERS = '/api/v1/idp/admin/users';
const BODY = { username: 'half-made', password: 'correct horse', firstName: 'Half', lastName: 'Made' };
const HOUR_MS = 60 * 60 * 1000;

type Place = `${'before' | 'after'} ${'create' | 'delete' | 'grant'}` | 'after password';

/** Calls at the given place never get a response, which has the same effect as a crash there. */
class HangingProvider extends FakeIdentityProvider {
  private place: Place | undefined;
  private readonly hangingAt: ((error: Error) => void)[] = [];
  isReached = false;
  losesResponse = false;

  hangAt(place: Place): void {
    this.place = place;
    this.isReached = false;
  }

  /** Releases the waiting calls, so that the test can end. */
  release(): void {
    for (const reject of this.hangingAt.splice(0)) reject(new IdentityProviderError('answer', 'the test is over'));
  }

  override async create(user: NewProviderUser): Promise<ProviderUser> {
    await this.pass('before create');
    const made = await super.create(user);
    await this.pass('after create');
    if (!this.losesResponse) return made;
    this.losesResponse = false;
    throw new IdentityProviderError('create the user', 'the connection was lost');
  }

  override async delete(id: string): Promise<void> {
    await this.pass('before delete');
    await super.delete(id);
    await this.pass('after delete');
  }

  override async setTemporaryPassword(id: string, password: string): Promise<void> {
    await super.setTemporaryPassword(id, password);
    await this.pass('after password');
  }

  override async grantAdminRoles(id: string): Promise<void> {
    await this.pass('before grant');
    await super.grantAdminRoles(id);
    await this.pass('after grant');
  }

  private async pass(place: Place): Promise<void> {
    if (this.place !== place) return;
    this.place = undefined;
    this.isReached = true;
    await new Promise((_, reject) => this.hangingAt.push(reject));
  }
}

describe('user management when the process is killed', () => {
  let running: ManagedApp;
  let manager: SignedIn;
  const provider = new HangingProvider();
  const hangUp = new AbortController();
  let counter = 0;

  beforeAll(async () => {
    running = await startManagedApp(OIDC_VARIABLES, provider);
    const realmRoles = [...ADMIN_REALM_ROLES];
    manager = await managed(running, { email: 'manager@example.com', role: 'editor', realmRoles });
  });

  afterAll(async () => {
    hangUp.abort();
    provider.release();
    await running.close();
  });

  /** Sends a request, and waits until its work hangs. */
  const dieAt = async (place: Place, method: string, path: string, body?: object): Promise<void> => {
    provider.hangAt(place);
    const headers = {
      authorization: `Bearer ${tokenOf(manager.apiKey, manager.secret)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    void fetch(`${running.url}${path}`, { method, headers, ...sent, signal: hangUp.signal }).catch(() => undefined);
    await waitUntil(() => provider.isReached);
  };

  const somebody = () => managed(running, { email: `person-${(counter += 1)}@example.com`, role: 'editor' });

  const count = async (sql: string, ...values: string[]): Promise<number> =>
    (await running.database.dataSource.query<unknown[]>(sql, values)).length;

  const sweep = async (): Promise<void> => {
    await running.app.get(UserCreationSweep, { strict: false }).sweep(new Date(Date.now() + HOUR_MS));
    await running.database.dataSource.query("UPDATE provider_work SET due_at = now() - interval '1 minute'");
    await running.app.get(ProviderWorkSweep, { strict: false }).frequent();
  };

  const nobodyIsLeft = async (username: string): Promise<void> => {
    expect((await provider.list({ search: username, first: 0, max: 10 })).users).toEqual([]);
    expect(await count('SELECT * FROM app_user WHERE username = $1', username)).toBe(0);
    expect(await count('SELECT * FROM user_creation')).toBe(0);
    expect(await count('SELECT * FROM provider_work')).toBe(0);
  };

  it.each(['before create', 'after create'] as const)('leaves no incomplete user %s', async (place) => {
    await dieAt(place, 'POST', USERS, BODY);
    await sweep();
    await nobodyIsLeft(BODY.username);
    const { id } = await manager.api.must<{ id: string }>(201, 'POST', USERS, BODY);
    await manager.api.must(200, 'DELETE', `${USERS}/${id}`);
    await nobodyIsLeft(BODY.username);
  });

  it.each([
    ['at once', 0],
    ['later, while it is down', 1],
  ])('removes a user that the provider created despite an error, %s', async (_, failures) => {
    provider.losesResponse = true;
    provider.failNext('list', failures);
    expect((await manager.api.ask('POST', USERS, BODY)).status).toBe(500);
    if (failures === 1) await sweep();
    await nobodyIsLeft(BODY.username);
  });

  it('does not confuse another user with the incomplete one', async () => {
    await dieAt('before create', 'POST', USERS, BODY);
    const { id } = provider.add({ username: BODY.username, firstName: 'Somebody', lastName: 'Else' });
    await sweep();
    expect(await provider.find(id)).toBeDefined();
    await provider.delete(id);
    await nobodyIsLeft(BODY.username);
  });

  it.each(['before delete', 'after delete'] as const)(
    'automatically finishes a deletion that was interrupted %s',
    async (place) => {
      const person = await somebody();
      await dieAt(place, 'DELETE', `${USERS}/${person.userId}`);
      expect((await person.api.ask('GET', '/api/v1/datasets')).status).toBe(401);
      await sweep();
      await nobodyIsLeft(person.username);
    },
  );

  it.each(['before delete', 'after delete'] as const)(
    'finishes a deletion that was interrupted %s when it is repeated',
    async (place) => {
      const person = await somebody();
      await dieAt(place, 'DELETE', `${USERS}/${person.userId}`);
      await manager.api.must(200, 'DELETE', `${USERS}/${person.userId}`);
      await nobodyIsLeft(person.username);
      expect(
        await count(`SELECT * FROM audit_entry WHERE action = 'user_deleted' AND subject = $1`, person.userId),
      ).toBe(1);
    },
  );

  it('also transfers datasets created after the first step to the new owner', async () => {
    const person = await somebody();
    await dieAt('before delete', 'DELETE', `${USERS}/${person.userId}`);
    const { dataset_id: id } = await manager.api.must<{ dataset_id: string }>(
      200,
      'GET',
      '/api/v1/ingestion/new_dataset?dataset_name=Late',
    );
    await running.database.dataSource.query('UPDATE dataset SET owner_id = $1 WHERE id = $2', [person.userId, id]);
    await sweep();
    await nobodyIsLeft(person.username);
    expect(await count('SELECT * FROM dataset WHERE id = $1 AND owner_id = $2', id, manager.userId)).toBe(1);
  });

  it('signs out users with a new password', async () => {
    const person = await somebody();
    provider.signIn(person.username, 'a-long-password');
    const body = { password: 'correct horse' };
    await dieAt('after password', 'POST', `${USERS}/${person.userId}/reset-password`, body);
    expect(await provider.sessions(person.subject)).toHaveLength(1);
    await sweep();
    expect(await provider.sessions(person.subject)).toEqual([]);
  });
});

describe('a promotion when the process is killed', () => {
  const started: ManagedApp[] = [];
  let hangUp: AbortController;
  let provider: HangingProvider;

  afterEach(async () => {
    hangUp.abort();
    provider.release();
    for (const running of started.splice(0).reverse()) await running.close();
  });

  it.each(['before grant', 'after grant'] as const)(
    '%s is completed at the provider by another process',
    async (place) => {
      [provider, hangUp] = [new HangingProvider(), new AbortController()];
      const dying = await startManagedApp({}, provider);
      const { dataSource } = dying.database;
      const surviving = await startManagedApp(sameInstallation(dying), provider);
      started.push(dying, surviving);
      const realmRoles = [...ADMIN_REALM_ROLES];
      const admin = await managed(dying, { email: 'admin@example.com', role: 'admin', realmRoles });
      const editor = await managed(dying, { email: 'editor@example.com', role: 'editor' });
      provider.hangAt(place);
      void fetch(`${dying.url}/api/v1/workspace/members/${editor.userId}/role`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${admin.token()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ role: 'admin' }),
        signal: hangUp.signal,
      }).catch(() => undefined);
      await waitUntil(() => provider.isReached);

      const work = () => dataSource.query<unknown[]>('SELECT * FROM provider_work');
      const sweep = () => surviving.app.get(ProviderWorkSweep, { strict: false }).frequent();
      await sweep();
      // One at a time: no other process starts while the first may still be running.
      expect(await work()).not.toEqual([]);
      await dataSource.query(`
      SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND datname = current_database()`);
      await waitUntil(async () => {
        await sweep();
        return (await work()).length === 0;
      });
      const rolesOf = async (id: string) => (await provider.find(id))!.roles;
      expect(await rolesOf(editor.subject)).toEqual(expect.arrayContaining(realmRoles));
      expect(await rolesOf(admin.subject)).toEqual(['default-roles-media']);
      expect((await editor.api.ask('GET', USERS)).status).toBe(200);
    },
  );
});
