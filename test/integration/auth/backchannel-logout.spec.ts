import { randomUUID } from 'node:crypto';
import { CookieClient, type Visit } from '../../support/cookie-client';
import { type MaliciousProvider, type Claims, startDeceived, type Deceived } from '../../support/malicious-provider';
import { CLIENT } from '../../support/oidc-provider';
import type { TestApp } from '../../support/test-app';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

describe('back-channel logout', () => {
  let deceived: Deceived;
  let provider: MaliciousProvider;
  let running: TestApp;

  beforeAll(async () => {
    deceived = await startDeceived();
    ({ provider, running } = deceived);
  });

  afterAll(() => deceived.close());

  const signIn = async (sub: string, sid: string | undefined): Promise<CookieClient> => {
    provider.lies = {
      claims: (honest) => ({ ...honest, sub, sid, email: undefined, preferred_username: sub }),
      userInfo: () => ({ sub }),
    };
    const browser = new CookieClient();
    await browser.visit(`${running.url}/api/v1/oidc/login`, {}, ({ pathname }) => pathname === '/');
    return browser;
  };
  const statuses = (browsers: readonly CookieClient[]): Promise<number[]> =>
    Promise.all(browsers.map(async (browser) => (await browser.ask(`${running.url}/api/v1/datasets`)).status));
  const send = (form: Record<string, string>): Promise<Visit> =>
    new CookieClient().ask(`${running.url}/api/v1/oidc/backchannel-logout`, { form });
  const logoutClaims = (more: Claims): Claims => ({
    iss: provider.issuer,
    aud: CLIENT.id,
    iat: secondsFromNow(0),
    exp: secondsFromNow(120),
    jti: randomUUID(),
    events: { [EVENT]: {} },
    ...more,
  });
  const tell = async (more: Claims): Promise<Visit> =>
    send({ logout_token: await provider.sign(logoutClaims(more), { typ: 'logout+jwt' }) });

  it('ends the named session', async () => {
    const browsers = [await signIn('ada', 'one'), await signIn('ada', 'two'), await signIn('bob', 'three')];
    expect(await tell({ sid: 'one', sub: 'ada' })).toMatchObject({ status: 200 });
    expect(await statuses(browsers)).toEqual([401, 200, 200]);
    expect(await tell({ sid: 'two' })).toMatchObject({ status: 200 });
    expect(await statuses(browsers)).toEqual([401, 401, 200]);
  });

  it('ends all sessions of the named user', async () => {
    const browsers = [await signIn('ada', 'four'), await signIn('ada', undefined), await signIn('bob', 'five')];
    expect(await tell({ sub: 'ada' })).toMatchObject({ status: 200 });
    expect(await statuses(browsers)).toEqual([401, 401, 200]);
  });

  it('ends sessions of the user without a session id, but not those of other users with the same name', async () => {
    const browsers = [await signIn('ada', undefined), await signIn('ada', 'six'), await signIn('bob', 'seven')];
    expect(await tell({ sub: 'ada', sid: 'seven' })).toMatchObject({ status: 200 });
    expect(await statuses(browsers)).toEqual([401, 200, 200]);
  });

  it('is accepted only once', async () => {
    const logout_token = await provider.sign(logoutClaims({ sub: 'ada' }));
    expect(await send({ logout_token })).toMatchObject({ status: 200 });
    const browser = await signIn('ada', 'eight');
    expect(await send({ logout_token })).toMatchObject({
      status: 400,
      body: { detail: 'The logout token is not valid' },
    });
    expect(await statuses([browser])).toEqual([200]);
  });

  const FORGED: readonly (readonly [string, (honest: Claims) => Promise<string> | string])[] = [
    ['of a stranger', (claims) => provider.signByStranger(claims)],
    ['without signature', (claims) => provider.unsigned(claims)],
    ['signed by the client secret', (claims) => provider.signBySecret(claims, CLIENT.secret)],
    ['signed by the public key', (claims) => provider.signByPublicKey(claims)],
    ['of another issuer', (claims) => provider.sign({ ...claims, iss: 'https://login.example.com' })],
    ['for another service', (claims) => provider.sign({ ...claims, aud: 'other' })],
    ['for nobody', (claims) => provider.sign({ ...claims, aud: undefined })],
    ['of an hour ago', (claims) => provider.sign({ ...claims, iat: secondsFromNow(-3600) })],
    ['of tomorrow', (claims) => provider.sign({ ...claims, iat: secondsFromNow(86_400) })],
    ['of no time', (claims) => provider.sign({ ...claims, iat: undefined })],
    ['that has expired', (claims) => provider.sign({ ...claims, exp: secondsFromNow(-120) })],
    ['without a name', (claims) => provider.sign({ ...claims, jti: undefined })],
    ['with a nonce', (claims) => provider.sign({ ...claims, nonce: 'n' })],
    ['of no event', (claims) => provider.sign({ ...claims, events: undefined })],
    ['of another event', (claims) => provider.sign({ ...claims, events: { 'http://example.com/event': {} } })],
    ['of an event that says nothing', (claims) => provider.sign({ ...claims, events: { [EVENT]: true } })],
    ['about nobody', (claims) => provider.sign({ ...claims, sub: undefined })],
    ['about a number', (claims) => provider.sign({ ...claims, sub: 7 })],
    ['that is no token', () => 'not.a.token'],
    ['that is empty', () => ''],
  ];

  it.each(FORGED)('ignores a token %s', async (_, forge) => {
    const browser = await signIn('ada', 'nine');
    const logout_token = await forge(logoutClaims({ sub: 'ada' }));
    expect(await send({ logout_token })).toMatchObject({
      status: 400,
      body: { detail: 'The logout token is not valid' },
    });
    expect(await statuses([browser])).toEqual([200]);
  });

  it('requires a token in a form of limited size', async () => {
    expect(await send({})).toMatchObject({ status: 400 });
    expect(await send({ logout_token: 'x'.repeat(100_000) })).toMatchObject({ status: 413 });
    const json = { logout_token: await provider.sign(logoutClaims({ sub: 'ada' })) };
    const address = `${running.url}/api/v1/oidc/backchannel-logout`;
    expect(await new CookieClient().ask(address, { json })).toMatchObject({ status: 400 });
  });
});
