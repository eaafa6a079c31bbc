import { CookieClient, locationOf } from '../../support/cookie-client';
import {
  type MaliciousProvider,
  type Claims,
  type Lies,
  startDeceived,
  type Deceived,
} from '../../support/malicious-provider';
import { CLIENT } from '../../support/oidc-provider';
import type { TestApp } from '../../support/test-app';

const without =
  (name: string) =>
  (honest: Claims): Claims =>
    Object.fromEntries(Object.entries(honest).filter(([key]) => key !== name));
const but =
  (lie: Claims) =>
  (honest: Claims): Claims => ({ ...honest, ...lie });
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const LIES: readonly (readonly [string, Lies])[] = [
  ['a nonce of another sign-in', { claims: but({ nonce: 'another' }) }],
  ['no nonce', { claims: without('nonce') }],
  ['another issuer', { claims: but({ iss: 'https://login.example.com' }) }],
  ['no issuer', { claims: without('iss') }],
  ['another audience', { claims: but({ aud: 'another-service' }) }],
  ['no audience', { claims: without('aud') }],
  ['several audiences, and another who asked', { claims: but({ aud: [CLIENT.id, 'other'], azp: 'other' }) }],
  ['a token that has expired', { claims: (honest) => ({ ...honest, exp: secondsFromNow(-120) }) }],
  ['a token that never expires', { claims: without('exp') }],
  ['a token of the future', { claims: (honest) => ({ ...honest, nbf: secondsFromNow(3600) }) }],
  ['no time of issue', { claims: without('iat') }],
  ['nobody', { claims: without('sub') }],
  ['a number for a name', { claims: but({ sub: 7 }) }],
  ['an empty name', { claims: but({ sub: '' }) }],
  ['no ID token', { idToken: () => Promise.resolve(undefined) }],
  ['something that is no token', { idToken: () => Promise.resolve('not.a.token') }],
  ['alg none', { idToken: (claims, provider) => Promise.resolve(provider.unsigned(claims)) }],
  ['the signature of a stranger', { idToken: (claims, provider) => provider.signByStranger(claims) }],
  ['the signature of another key id', { idToken: (claims, provider) => provider.sign(claims, { kid: 'second' }) }],
  ['the client secret as the key', { idToken: (claims, provider) => provider.signBySecret(claims, CLIENT.secret) }],
  ['the public key as the secret', { idToken: (claims, provider) => provider.signByPublicKey(claims) }],
  [
    'claims that were changed after signing',
    {
      idToken: async (claims, provider) => {
        const [header, , signature] = (await provider.sign(claims)).split('.');
        const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
        return [header, changed, signature].join('.');
      },
    },
  ],
  ['somebody else in the user information', { userInfo: but({ sub: 'admin' }) }],
  ['a code that it does not know', { tokenAnswer: { status: 400, body: { error: 'invalid_grant' } } }],
  ['no token at all', { tokenAnswer: { status: 200, body: {} } }],
  [
    'that it let nobody in',
    { callbackParameters: ({ state, iss }) => ({ error: 'access_denied', state: state!, iss: iss! }) },
  ],
  [
    'an unknown mistake',
    { callbackParameters: ({ state, iss }) => ({ error: 'invalid_scope', state: state!, iss: iss! }) },
  ],
  ['no code', { callbackParameters: ({ state, iss }) => ({ state: state!, iss: iss! }) }],
  ['the state of another sign-in', { callbackParameters: (honest) => ({ ...honest, state: 'x'.repeat(43) }) }],
  ['no state', { callbackParameters: ({ code, iss }) => ({ code: code!, iss: iss! }) }],
  [
    'the answer of another provider',
    { callbackParameters: (honest) => ({ ...honest, iss: 'https://login.example.com' }) },
  ],
  ['an answer of nobody', { callbackParameters: ({ code, state }) => ({ code: code!, state: state! }) }],
];

describe('a malicious provider', () => {
  let deceived: Deceived;
  let provider: MaliciousProvider;
  let running: TestApp;

  beforeAll(async () => {
    deceived = await startDeceived();
    ({ provider, running } = deceived);
  });

  afterAll(() => deceived.close());

  beforeEach(() => (provider.lies = {}));

  const count = async (what: string): Promise<number> => {
    const [row] = await running.database.dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${what}`);
    return row!.n;
  };
  const login = (): string => `${running.url}/api/v1/oidc/login`;

  it.each(LIES)('cannot sign anyone in with %s', async (_, lies) => {
    provider.lies = lies;
    const browser = new CookieClient();
    const visit = await browser.visit(login());
    expect(visit.url).toContain('/api/v1/oidc/callback');
    expect([400, 401, 403]).toContain(visit.status);
    expect(visit.body).toEqual({ detail: expect.any(String) as string });
    expect(browser.cookie(running.url, 'SESSION')).toBeUndefined();
    expect([await count('login_session'), await count('app_user WHERE subject IS NOT NULL')]).toEqual([0, 0]);
  });

  it('has its failures reported as errors of the provider, not of the user', async () => {
    for (const answer of [
      { status: 500, body: {} },
      { status: 503, body: { error: 'temporarily_unavailable' } },
      { status: 401, body: { error: 'invalid_client' } },
    ]) {
      provider.lies = { tokenAnswer: answer };
      const visit = await new CookieClient().visit(login());
      expect({ status: visit.status, body: visit.body }).toEqual({
        status: 503,
        body: { detail: 'The identity provider cannot be reached. Try again later.' },
      });
    }
  });

  it('cannot make a browser complete a sign-in that another one started', async () => {
    const began = new CookieClient();
    const isCallback = ({ pathname }: URL): boolean => pathname === '/api/v1/oidc/callback';
    const callback = locationOf(await began.visit(login(), {}, isCallback)).href;
    const other = new CookieClient();
    await other.visit(login(), {}, isCallback);
    expect(await other.ask(callback)).toMatchObject({ status: 400 });
    expect(await count('login_session')).toBe(0);
    expect(await began.ask(callback)).toMatchObject({ status: 302 });
    expect(await began.ask(callback)).toMatchObject({ status: 400 });
  });

  it('signs users in with valid responses', async () => {
    const browser = new CookieClient();
    const visit = await browser.visit(`${login()}?return_to=/api/v1/datasets`);
    expect(visit).toMatchObject({ status: 200, url: `${running.url}/api/v1/datasets` });
  });

  it.each([
    ['of its own', ['editor-in-chief', 'view-users'], (claims: Claims) => provider.sign(claims)],
    ['of a stranger', [], (claims: Claims) => provider.signByStranger(claims)],
    ['without signature', [], (claims: Claims) => Promise.resolve(provider.unsigned(claims))],
    ['of another issuer', [], (claims: Claims) => provider.sign({ ...claims, iss: 'https://login.example.com' })],
    ['that has expired', [], (claims: Claims) => provider.sign({ ...claims, exp: secondsFromNow(-120) })],
  ])('yields these roles with an access token %s: %j', async (_, roles, sign) => {
    const claims = {
      iss: provider.issuer,
      sub: 'mallory',
      exp: secondsFromNow(60),
      realm_access: { roles: ['editor-in-chief'] },
      resource_access: { 'realm-management': { roles: ['view-users'] } },
    };
    provider.lies = { accessToken: () => sign(claims) };
    await new CookieClient().visit(`${login()}?return_to=/api/v1/datasets`);
    expect(
      await running.database.dataSource.query("SELECT realm_roles FROM app_user WHERE subject = 'mallory'"),
    ).toEqual([{ realm_roles: roles }]);
  });

  it('records the reason of a denied sign-in in the audit log', async () => {
    const rows = await running.database.dataSource.query<{ reason: string }[]>(
      "SELECT DISTINCT details ->> 'reason' AS reason FROM audit_entry WHERE action = 'sign_in_failed'",
    );
    expect(rows.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['access_denied', 'invalid_grant', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED']),
    );
  });
});
