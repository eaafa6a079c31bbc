import { randomUUID } from 'node:crypto';
import { CookieClient, locationOf } from '../../support/cookie-client';
import { SigningIn } from '../../support/signing-in';

const LOGIN = '/api/v1/oidc/login';

describe('signing in with a browser', () => {
  let world: SigningIn;

  beforeAll(async () => {
    world = await SigningIn.start();
    const { provider } = world;
    provider.add({
      sub: 'ada',
      email: 'Ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      preferred_username: 'ada',
      realm_access: { roles: ['manage-users', 'offline_access'] },
      resource_access: { 'realm-management': { roles: ['view-users'] }, account: { roles: ['manage-account'] } },
    });
    provider.add({ sub: 'bob', preferred_username: 'bob' });
  });

  afterAll(() => world.close());

  it('redirects to the provider and back to the requested page', async () => {
    world.provider.who = 'ada';
    const browser = new CookieClient();
    const first = await browser.ask(world.at(`${LOGIN}?return_to=${encodeURIComponent('/api/v1/datasets?a=1')}`));
    const asked = locationOf(first);
    expect(asked.origin).toBe(world.provider.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: world.at('/api/v1/oidc/callback'),
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const end = await browser.visit(asked.href);
    expect(end).toMatchObject({ status: 200, url: world.at('/api/v1/datasets?a=1') });
    expect(browser.cookieText(world.running.url, 'SESSION')).toMatch(
      /^SESSION=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(browser.names(world.running.url)).toEqual(['SESSION']);
    const stored = JSON.stringify(await world.sql('SELECT * FROM login_session'));
    expect(stored).not.toContain(world.session(browser));
    expect(await world.sql("SELECT position('eyJ'::bytea IN sealed_id_token) AS place FROM login_session")).toEqual([
      { place: 0 },
    ]);
  });

  it('makes the first user the admin and the others viewers, with the profile data of the provider', async () => {
    await world.signIn('ada');
    await world.signIn('bob');
    const users = await world.sql(
      'SELECT email, name, first_name, last_name, username, realm_roles, role FROM app_user JOIN workspace_member ON user_id = id WHERE subject IS NOT NULL ORDER BY email',
    );
    expect(users).toEqual([
      {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        first_name: 'Ada',
        last_name: 'Lovelace',
        username: 'ada',
        realm_roles: ['manage-users', 'offline_access', 'view-users'],
        role: 'admin',
      },
      {
        email: 'bob',
        name: 'bob',
        first_name: null,
        last_name: null,
        username: 'bob',
        realm_roles: [],
        role: 'viewer',
      },
    ]);
  });

  it('makes only one of many concurrent first users the admin', async () => {
    await world.sql('DELETE FROM app_user WHERE subject IS NOT NULL');
    const browsers: Promise<CookieClient>[] = [];
    for (let n = 0; n < 8; n += 1) {
      world.provider.add({ sub: `many-${n}`, preferred_username: `many-${n}` });
      world.provider.who = `many-${n}`;
      const browser = new CookieClient();
      // Sequentially up to the callback, then all concurrently.
      const callback = await browser.visit(world.at(LOGIN), {}, ({ pathname }) => pathname === '/api/v1/oidc/callback');
      browsers.push(browser.ask(locationOf(callback).href).then(() => browser));
    }
    expect((await Promise.all(browsers)).filter((browser) => world.session(browser) !== undefined)).toHaveLength(8);
    const roles = await world.sql<{ role: string }>(
      "SELECT role FROM workspace_member JOIN app_user ON id = user_id WHERE subject LIKE 'many-%'",
    );
    expect(roles.filter(({ role }) => role === 'admin')).toHaveLength(1);
    expect(roles).toHaveLength(8);
  });

  it('updates names and roles at each sign-in', async () => {
    await world.signIn('ada');
    world.provider.add({ sub: 'bob', email: 'bob@example.com', name: 'Bob', realm_access: { roles: ['view-users'] } });
    await world.signIn('bob');
    expect(await world.sql("SELECT email, name, realm_roles FROM app_user WHERE subject = 'bob'")).toEqual([
      { email: 'bob@example.com', name: 'Bob', realm_roles: ['view-users'] },
    ]);
    world.provider.add({ sub: 'bob', preferred_username: 'bob' });
    await world.signIn('bob');
    expect(await world.sql("SELECT email, name, realm_roles FROM app_user WHERE subject = 'bob'")).toEqual([
      { email: 'bob', name: 'bob', realm_roles: [] },
    ]);
  });

  it.each(['ADA@example.com', 'admin@localhost'])('does not link users by the address %s', async (email) => {
    await world.signIn('ada');
    const sub = randomUUID();
    world.provider.add({ sub, email, email_verified: true });
    const browser = new CookieClient();
    expect(await world.tryToSignIn(sub, browser)).toMatchObject({
      status: 403,
      body: {
        detail:
          'The e-mail address of your account belongs to another user of this service. Contact your administrator.',
      },
    });
    expect(world.session(browser)).toBeUndefined();
    expect(await world.sql('SELECT 1 FROM app_user WHERE subject = $1', [sub])).toEqual([]);
  });

  it.each([
    ['is kept out', "UPDATE app_user SET enabled = false WHERE subject = 'gone'"],
    [
      'is in no workspace',
      "DELETE FROM workspace_member WHERE user_id = (SELECT id FROM app_user WHERE subject = 'gone')",
    ],
  ])('rejects a user who %s, and their sessions', async (_, change) => {
    world.provider.add({ sub: 'gone', preferred_username: 'gone' });
    await world.sql("DELETE FROM app_user WHERE subject = 'gone'");
    const before = await world.signIn('gone');
    expect(await world.status(before)).toBe(200);
    await world.sql(change);
    expect(await world.status(before)).toBe(403);
    expect(await world.tryToSignIn('gone', new CookieClient())).toMatchObject({
      status: 403,
      body: { detail: 'You do not have access to this service. Contact your administrator.' },
    });
  });

  it('reports a sign-in that the provider denied', async () => {
    const browser = new CookieClient();
    expect(await world.tryToSignIn(undefined, browser)).toMatchObject({
      status: 403,
      body: { detail: 'The identity provider denied the sign-in' },
    });
    expect(world.session(browser)).toBeUndefined();
  });

  it('starts a new session at each sign-in, and ends the previous session of the browser', async () => {
    const browser = await world.signIn('ada');
    const old = world.session(browser)!;
    await world.signIn('bob', browser);
    expect(world.session(browser)).not.toBe(old);
    const thief = world.holding(old);
    expect(await world.status(thief)).toBe(401);
    expect(await world.status(browser)).toBe(200);
  });

  it('never continues a session that another user planted in the browser', async () => {
    const planted = 'A'.repeat(43);
    const browser = world.holding(planted);
    await world.signIn('ada', browser);
    expect(world.session(browser)).not.toBe(planted);
    expect(await world.holding(planted).ask(world.at('/api/v1/datasets'))).toMatchObject({
      status: 401,
      body: { detail: 'The session has ended. Sign in again.' },
    });
  });

  it.each(['x', 'A'.repeat(44), '../../x', '%00', '"quoted"', '{}'])('does not know the session %s', async (value) => {
    expect(await world.status(world.holding(value))).toBe(401);
  });

  it('accepts at most five concurrent sign-ins of one browser', async () => {
    const browser = new CookieClient();
    for (let n = 0; n < 12; n += 1) await browser.ask(world.at(LOGIN));
    expect(browser.names(world.running.url).length).toBeLessThanOrEqual(5);
    await world.signIn('ada', browser);
    expect(await world.status(browser)).toBe(200);
  });
});
