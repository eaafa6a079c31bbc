import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { KeycloakConnection } from '../../src/modules/idp-admin/keycloak/keycloak-connection';
import { KeycloakIdentityProvider } from '../../src/modules/idp-admin/provide-identity-provider';
import { IdentityProviderError } from '../../src/modules/idp-admin/domain/provider-user';
import { UserComparisonSweep } from '../../src/modules/idp-admin/user-comparison';
import { UserCreationSweep } from '../../src/modules/idp-admin/undo-creation.step';
import { startBrowser } from '../support/browser';
import { BrowserPerson } from '../support/browser-person';
import { EventStream } from '../support/event-stream';
import { tokenOf } from '../support/principals';
import { startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';
import { CutOffProxy } from './cut-off-proxy';
import { asRoot, signInVariables, testKeycloak } from './keycloak-environment';

const USERS = '/api/v1/idp/admin/users';
const PASSWORD = 'correct-horse';
const HOUR_MS = 60 * 60 * 1000;

interface UserAnswer {
  readonly id: string;
  readonly username: string;
  readonly enabled: boolean;
  readonly roles: readonly string[];
  readonly lastAccess: number | null;
}

interface Client {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
}

describe('user management with Keycloak', () => {
  const provider = new KeycloakIdentityProvider(new KeycloakConnection(testKeycloak()));
  const mark = randomUUID().slice(0, 8);
  let proxy: CutOffProxy;
  let running: TestApp;
  let browser: Browser;
  let manager: BrowserPerson;
  let managerId: string;

  beforeAll(async () => {
    proxy = await CutOffProxy.before(testKeycloak().url);
    running = await startTestApp({ ...signInVariables(), KEYCLOAK_ADMIN_URL: proxy.url });
    browser = await startBrowser();
    const username = `manager-${mark}`;
    const names = { firstName: 'Maria', lastName: 'Manager' };
    ({ id: managerId } = await provider.create({ username, password: PASSWORD, ...names, enabled: true }));
    await provider.grantAdminRoles(managerId);
    manager = await person();
    await manager.signIn(username, PASSWORD);
  });

  afterAll(async () => {
    await browser.close();
    const { users } = await provider.list({ search: mark, first: 0, max: 100 });
    for (const { id } of users) await provider.delete(id);
    await running.close();
    await proxy.close();
  });

  const person = (): Promise<BrowserPerson> => BrowserPerson.at(browser, running.url);

  const tellOfLogouts = async (url: string): Promise<void> => {
    const clients = (await asRoot('GET', 'media/clients?clientId=dataset-media-service')) as Client[];
    const { id, attributes } = clients[0]!;
    const told = { ...attributes, 'backchannel.logout.url': url, 'backchannel.logout.session.required': 'true' };
    await asRoot('PUT', `media/clients/${id}`, { ...clients[0], attributes: told });
  };

  const bodyOf = (name: string, more: object = {}) => ({
    username: `${name}-${mark}`,
    password: PASSWORD,
    firstName: name,
    lastName: 'Person',
    ...more,
  });

  const create = (name: string, more: object = {}): Promise<UserAnswer> =>
    manager.must<UserAnswer>(201, 'POST', USERS, bodyOf(name, more));

  const userIdOf = async (subject: string): Promise<string | undefined> =>
    (await running.database.dataSource.query<{ id: string }[]>('SELECT id FROM app_user WHERE subject = $1', [subject]))
      .map(({ id }) => id)
      .at(0);

  it('makes the first user who signs in the admin, with the realm roles that are available', async () => {
    expect(await manager.must(200, 'GET', '/api/v1/workspace/settings/access')).toMatchObject({ role: 'admin' });
    const { users, total } = await manager.must<{ users: UserAnswer[]; total: number }>(
      200,
      'GET',
      `${USERS}?search=${mark}`,
    );
    expect(total).toBe(1);
    expect(users).toEqual([expect.objectContaining({ id: managerId, lastAccess: expect.any(Number) as number })]);
  });

  it('creates, shows, renames, disables and lists a user', async () => {
    const created = await create('Ada');
    const userId = await userIdOf(created.id);
    expect(created).toMatchObject({ username: `ada-${mark}`, enabled: true, roles: ['default-roles-media'] });
    expect(await manager.must(200, 'GET', `${USERS}/${created.id}`)).toEqual(created);
    expect(await manager.must(200, 'GET', `${USERS}/${userId}`)).toEqual(created);
    expect((await manager.ask('POST', USERS, bodyOf('ADA'))).status).toBe(409);
    const changes = { username: `ada2-${mark}`, enabled: false };
    expect(await manager.must(200, 'PATCH', `${USERS}/${userId}`, changes)).toMatchObject(changes);
    const ada = await person();
    await ada.enterPassword(`ada2-${mark}`, PASSWORD);
    expect(new URL(ada.page.url()).origin).toBe(testKeycloak().url);
    await manager.must(200, 'PATCH', `${USERS}/${created.id}`, { enabled: true });
    await ada.signIn(`ada2-${mark}`, PASSWORD);
    const listed = await manager.must<{ users: UserAnswer[] }>(200, 'GET', `${USERS}?search=ADA&first=0&max_results=5`);
    expect(listed.users).toContainEqual({
      ...created,
      ...changes,
      enabled: true,
      lastAccess: expect.any(Number) as number,
    });
  });

  it('sets roles, which take effect at the next sign-in, and ignores unknown ones', async () => {
    const { id } = await create('Rolf');
    const rolf = await person();
    await rolf.signIn(`rolf-${mark}`, PASSWORD);
    expect((await rolf.ask('GET', USERS)).status).toBe(403);
    const roles = ['view-users', 'annotator', 'no-such-role'];
    expect(await manager.must(200, 'PUT', `${USERS}/${id}/roles`, { roles })).toMatchObject({
      roles: ['annotator', 'default-roles-media', 'view-users'],
    });
    expect((await rolf.ask('GET', USERS)).status).toBe(200);
    expect((await rolf.ask('POST', USERS, bodyOf('nobody'))).status).toBe(403);
    await manager.must(200, 'PUT', `${USERS}/${id}/roles`, { roles: [] });
    expect((await rolf.ask('GET', USERS)).status).toBe(403);
  });

  it('lists sessions, and ends them in the service and in Keycloak', async () => {
    const { id } = await create('Lou');
    const lou = await person();
    await lou.signIn(`lou-${mark}`, PASSWORD);
    const sessions = `${USERS}/${id}/sessions`;
    expect(await manager.must(200, 'GET', sessions)).toMatchObject({
      total: 1,
      sessions: [{ username: `lou-${mark}`, ipAddress: '127.0.0.1' }],
    });
    await manager.must(200, 'POST', `${USERS}/${id}/logout`);
    expect(await manager.must(200, 'GET', sessions)).toEqual({ sessions: [], total: 0 });
    expect((await lou.ask('GET', '/api/v1/datasets')).status).toBe(401);
    await lou.signIn(`lou-${mark}`, PASSWORD);
  });

  it('resets a password, which must be changed at the next sign-in', async () => {
    const { id } = await create('Resi');
    const resi = await person();
    await resi.signIn(`resi-${mark}`, PASSWORD);
    expect((await manager.ask('POST', `${USERS}/${id}/reset-password`, { password: 'short' })).status).toBe(400);
    await manager.must(200, 'POST', `${USERS}/${id}/reset-password`, { password: 'given-by-the-admin' });
    expect((await resi.ask('GET', '/api/v1/datasets')).status).toBe(401);
    await resi.enterPassword(`resi-${mark}`, 'given-by-the-admin');
    expect(await resi.page.locator('#password-new').count()).toBe(1);
    await resi.chooseNewPassword('of-her-own-choice');
    expect((await resi.ask('GET', '/api/v1/datasets')).status).toBe(200);
    await (await person()).signIn(`resi-${mark}`, 'of-her-own-choice');
  });

  it('deletes a user in the service and in Keycloak', async () => {
    const { id } = await create('Del');
    const del = await person();
    await del.signIn(`del-${mark}`, PASSWORD);
    await manager.must(200, 'DELETE', `${USERS}/${await userIdOf(id)}`);
    expect(await provider.find(id)).toBeUndefined();
    expect(await userIdOf(id)).toBeUndefined();
    expect((await del.ask('GET', '/api/v1/datasets')).status).toBe(401);
    expect((await manager.ask('GET', `${USERS}/${id}`)).status).toBe(404);
    expect((await manager.ask('DELETE', `${USERS}/${managerId}`)).status).toBe(400);
    await del.enterPassword(`del-${mark}`, PASSWORD);
    expect(new URL(del.page.url()).origin).toBe(testKeycloak().url);
  });

  it('also signs out of Keycloak', async () => {
    const { id } = await create('Otto');
    const otto = await person();
    await otto.signIn(`otto-${mark}`, PASSWORD);
    await otto.page.goto(`${running.url}/api/v1/oidc/logout`);
    expect(otto.page.url()).toBe(`${running.url}/`);
    expect((await otto.ask('GET', '/api/v1/datasets')).status).toBe(401);
    expect(await provider.sessions(id)).toEqual([]);
    await otto.signIn(`otto-${mark}`, PASSWORD);
  });

  it('ends sessions that are ended in Keycloak', async () => {
    const { id } = await create('Bea');
    const bea = await person();
    await bea.signIn(`bea-${mark}`, PASSWORD);
    await tellOfLogouts(`${running.url}/api/v1/oidc/backchannel-logout`);
    await asRoot('POST', `media/users/${id}/logout`);
    await tellOfLogouts('');
    expect((await bea.ask('GET', '/api/v1/datasets')).status).toBe(401);
  });

  it.each(['disabled', 'deleted'] as const)('ends the access of a user who is %s in Keycloak', async (how) => {
    const { id } = await create(`Leaver-${how}`);
    const leaver = await person();
    await leaver.signIn(`leaver-${how}-${mark}`, PASSWORD);
    const key = await leaver.must<{ api_key: string; api_secret: string }>(200, 'GET', '/api/v1/api_credentials');
    const token = { authorization: `Bearer ${tokenOf(key.api_key, key.api_secret)}` };
    const byKey = async () => (await fetch(`${running.url}/api/v1/datasets`, { headers: token })).status;
    const stream = await EventStream.open(running.url, '', token);
    const compare = () => running.app.get(UserComparisonSweep, { strict: false }).sweep();
    expect([await compare(), await byKey(), stream.isOver]).toEqual([0, 200, false]);
    await asRoot(
      how === 'disabled' ? 'PUT' : 'DELETE',
      `media/users/${id}`,
      how === 'disabled' ? { enabled: false } : undefined,
    );
    expect(await compare()).toBe(1);
    expect([(await leaver.ask('GET', '/api/v1/datasets')).status, await byKey()]).toEqual([401, 401]);
    await stream.until(({ isOver }) => isOver);
    expect((await manager.ask('GET', '/api/v1/datasets')).status).toBe(200);
  });

  it('keeps users during outages of Keycloak, and if it lists another realm', async () => {
    const { url, ...account } = testKeycloak();
    const elsewhere = new KeycloakIdentityProvider(new KeycloakConnection({ url, ...account, realm: 'no-such-realm' }));
    await expect(elsewhere.accounts()).rejects.toThrow(IdentityProviderError);
    await expect(elsewhere.isEnabled(managerId)).rejects.toThrow(IdentityProviderError);
    proxy.dieAt('before', 'GET', '/users');
    await expect(running.app.get(UserComparisonSweep, { strict: false }).sweep()).rejects.toThrow(
      IdentityProviderError,
    );
    proxy.comeBack();
    expect((await manager.ask('GET', '/api/v1/datasets')).status).toBe(200);
  });

  describe('when Keycloak stops during the creation of a user', () => {
    const rows = async (table: string): Promise<number> =>
      (await running.database.dataSource.query<unknown[]>(`SELECT 1 FROM ${table}`)).length;
    const atKeycloak = async (name: string): Promise<number> =>
      (await provider.list({ search: `${name}-${mark}`, first: 0, max: 5 })).total;

    it.each([
      ['before it has made the user', () => proxy.dieAt('before', 'POST', '/users'), 0],
      ['when it has made the user, and not yet said so', () => proxy.dieAt('after', 'POST', '/users'), 1],
      [
        'when it has said so, before the user is known here',
        () => proxy.dieAt('before', 'GET', '/role-mappings', { method: 'POST', pathEnd: '/users' }),
        1,
      ],
    ] as const)('leaves no user on either side: %s', async (_, die, madeThere) => {
      const known = await rows('app_user');
      die();
      const answer = await manager.ask('POST', USERS, bodyOf('half'));
      expect(answer).toEqual({
        status: 500,
        body: { detail: expect.stringContaining('it cannot be reached') as string },
      });
      expect(await atKeycloak('half')).toBe(madeThere);
      proxy.comeBack();
      await running.app.get(UserCreationSweep, { strict: false }).sweep(new Date(Date.now() + HOUR_MS));
      expect(await atKeycloak('half')).toBe(0);
      expect([await rows('app_user'), await rows('user_creation')]).toEqual([known, 0]);
      const { id } = await create('half');
      await manager.must(200, 'DELETE', `${USERS}/${id}`);
    });
  });

  it('signs the former admin out when another user becomes admin', async () => {
    const { id } = await create('Nova');
    await manager.must(200, 'PUT', `/api/v1/workspace/members/${await userIdOf(id)}/role`, { role: 'admin' });
    await waitUntil(async () => (await provider.sessions(managerId)).length === 0);
    await waitUntil(async () => (await provider.find(managerId))?.roles.includes('manage-users') === false);
    expect((await manager.ask('GET', '/api/v1/datasets')).status).toBe(401);
    const nova = await person();
    await nova.signIn(`nova-${mark}`, PASSWORD);
    expect(await nova.must(200, 'GET', '/api/v1/workspace/settings/access')).toMatchObject({ role: 'admin' });
    await nova.must(200, 'GET', USERS);
    await manager.signIn(`manager-${mark}`, PASSWORD);
    expect(await manager.must(200, 'GET', '/api/v1/workspace/settings/access')).toMatchObject({ role: 'editor' });
    expect((await manager.ask('GET', USERS)).status).toBe(403);
  });
});
