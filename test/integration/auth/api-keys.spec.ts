import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Sealer } from '../../../src/common/platform/config/sealer';
import { ApiKeys } from '../../../src/modules/auth';
import { API_SECRETS } from '../../../src/modules/auth/api-keys/domain/api-key';
import { DEFAULT_WORKSPACE, UserRepository, WorkspaceMemberRepository } from '../../../src/modules/workspaces';
import { ApiClient } from '../../support/api-client';
import { EventStream } from '../../support/event-stream';
import { OIDC_VARIABLES, signedIn, signedToken, tokenOf, type SignedIn } from '../../support/principals';
import { runningApp } from '../../support/test-app';
import { TOKEN_MUTATIONS, validToken, type TokenParts } from '../../support/token-mutations';
import { waitUntil } from '../../support/wait-until';

const PATH = '/api/v1/datasets';
const REFUSED = { status: 401, body: { detail: 'Invalid or expired token' } };
const ANONYMOUS = { status: 401, body: { detail: 'Sign in, or send a bearer token' } };

describe('API keys', () => {
  const running = runningApp(OIDC_VARIABLES);
  let keys: ApiKeys;
  let someone: SignedIn;
  let parts: TokenParts;

  const ask = async (authorization: string, path = PATH) => {
    const { status, body } = await new ApiClient(running.url, () => ({ authorization })).ask('GET', path);
    return { status, body };
  };
  const askWith = (token: string) => ask(`Bearer ${token}`);
  const person = (email: string): Promise<SignedIn> => signedIn(running, { email, role: 'editor' });
  const lastUsed = async ({ apiKey, userId }: SignedIn): Promise<Date | null> =>
    (await keys.list(userId)).find((key) => key.apiKey === apiKey)!.lastUsedAt;

  beforeAll(async () => {
    keys = running.app.get(ApiKeys, { strict: false });
    someone = await person('someone@example.com');
    const { apiKey: otherKey, secret: otherSecret } = await person('other@example.com');
    parts = { apiKey: someone.apiKey, secret: someone.secret, otherKey, otherSecret };
  });

  describe('a token', () => {
    it('authenticates its key', async () => {
      expect(await askWith(validToken(parts))).toMatchObject({ status: 200 });
    });

    it.each(['bearer', 'BEARER', 'Bearer '])('is accepted with the scheme %p', async (scheme) => {
      expect(await ask(`${scheme} ${validToken(parts)}`)).toMatchObject({ status: 200 });
    });

    it('does not require typ', async () => {
      const { apiKey, secret } = parts;
      const [, claims] = tokenOf(apiKey, secret).split('.');
      const members = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as object;
      expect(await askWith(signedToken({ alg: 'HS256', kid: apiKey }, members, secret))).toMatchObject({ status: 200 });
    });

    it.each([
      { it: 'of a clock ahead', iat: 50, exp: 650 },
      { it: 'of a clock behind', iat: -650, exp: -50 },
      { it: 'that lives for thirty days', iat: 0, exp: 30 * 24 * 3600 },
      { it: 'of fractions of a second', iat: 0.5, exp: 600.25 },
    ])('$it is accepted', async ({ iat, exp }) => {
      const { apiKey, secret } = parts;
      const now = Math.floor(Date.now() / 1000);
      const claims = { sub: apiKey, iss: 'sdk', iat: now + iat, exp: now + exp, extra: { any: ['thing', {}] } };
      const token = signedToken({ alg: 'HS256', typ: 'JWT', kid: apiKey }, claims, secret);
      expect(await askWith(token)).toMatchObject({ status: 200 });
    });

    it('has at least forty distinct mutations', () => {
      expect(TOKEN_MUTATIONS.length).toBeGreaterThanOrEqual(40);
      expect(new Set(TOKEN_MUTATIONS.map((mutation) => mutation.it)).size).toBe(TOKEN_MUTATIONS.length);
    });

    it.each(TOKEN_MUTATIONS)('is refused when $it', async ({ token }) => {
      expect(await askWith(token(parts))).toEqual(REFUSED);
    });

    it.each(['Bearer', 'Bearer two tokens', 'Bearer\ttoken', 'Bearer,token', 'bearer-token'])(
      'is refused if the header is %p',
      async (authorization) => {
        expect(await ask(authorization)).toEqual(REFUSED);
      },
    );

    it('is only accepted in the Authorization header', async () => {
      const token = validToken(parts);
      expect(await ask('', `${PATH}?access_token=${token}`)).toEqual(ANONYMOUS);
      expect(await ask(`Basic ${token}`)).toEqual(ANONYMOUS);
      expect(await ask(token)).toEqual(ANONYMOUS);
    });

    it('is refused if there is a second header', async () => {
      const asked = request(`${running.url}${PATH}`, { agent: false });
      asked.setHeader('authorization', [`Bearer ${validToken(parts)}`, 'Basic c29tZWJvZHk6']);
      asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(401);
    });
  });

  it('decrypts one secret for an unknown key, as for a known one', async () => {
    const open = jest.spyOn(Sealer.prototype, 'open');
    try {
      const unknown = 'dms_ffffffffffffffffffffffffffffffff';
      for (const token of [tokenOf(parts.apiKey, 'forged'), tokenOf(unknown, 'forged')]) {
        open.mockClear();
        expect(await askWith(token)).toEqual(REFUSED);
        expect(open.mock.calls).toHaveLength(1);
        expect(open.mock.results[0]!.value).toMatch(/^[\w-]{43}$/);
      }
    } finally {
      open.mockRestore();
    }
  });

  it('can be several per user, each revoked separately with immediate effect', async () => {
    const one = await person('several@example.com');
    const further = await keys.create(one);
    expect((await keys.list(one.userId)).map(({ apiKey }) => apiKey)).toEqual([further.apiKey, one.apiKey]);
    await one.api.must(200, 'GET', PATH);
    await keys.revoke(one, one.apiKey);
    expect(await askWith(one.token())).toEqual(REFUSED);
    expect(await askWith(tokenOf(further.apiKey, further.secret))).toMatchObject({ status: 200 });
  });

  it('end their streams when they are revoked', async () => {
    const one = await person('listening@example.com');
    const stream = await EventStream.open(running.url, '', { authorization: `Bearer ${one.token()}` });
    expect(stream.head).toMatch(/^HTTP\/1\.1 200/);
    await keys.revoke(one, one.apiKey);
    await waitUntil(() => stream.isOver);
  });

  it('are refused if their secret was sealed with a different secret key', async () => {
    const one = await person('sealed@example.com');
    const sealed = new Sealer(Buffer.alloc(32), API_SECRETS).seal(one.secret, one.apiKey);
    const change = 'UPDATE api_key SET sealed_secret = $2 WHERE api_key = $1';
    await running.database.dataSource.query(change, [one.apiKey, sealed]);
    expect(await askWith(one.token())).toEqual(REFUSED);
  });

  it('can be revoked by their owner only', async () => {
    const one = await person('owner@example.com');
    await expect(keys.revoke(someone, one.apiKey)).rejects.toMatchObject({ status: 404 });
    await expect(keys.revoke(one, 'dms_none')).rejects.toMatchObject({ status: 404 });
    await one.api.must(200, 'GET', PATH);
  });

  it('have the current role of their user', async () => {
    const one = await person('changing@example.com');
    const abort = '/api/v1/tasks/11111111-2222-4333-8444-555555555555/abort';
    await one.api.must(404, 'POST', abort);
    await running.app
      .get(WorkspaceMemberRepository, { strict: false })
      .setRole(DEFAULT_WORKSPACE.id, one.userId, 'viewer');
    await one.api.must(403, 'POST', abort);
    await running.app.get(UserRepository, { strict: false }).delete(one.userId);
    expect(await askWith(one.token())).toEqual(REFUSED);
    expect(await keys.list(one.userId)).toEqual([]);
  });

  it('give no access to a user without a workspace', async () => {
    const one = await person('homeless@example.com');
    await running.app.get(WorkspaceMemberRepository, { strict: false }).deleteOfUser(one.userId);
    expect(await askWith(one.token())).toEqual(REFUSED);
  });

  it('record their last use to the minute', async () => {
    const one = await person('used@example.com');
    expect(await askWith(tokenOf(one.apiKey, 'forged'))).toEqual(REFUSED);
    expect(await lastUsed(one)).toBeNull();
    await one.api.must(200, 'GET', PATH);
    await waitUntil(async () => (await lastUsed(one)) !== null);
    const first = (await lastUsed(one))!;
    await one.api.must(200, 'GET', PATH);
    await running.database.dataSource.query(
      "UPDATE api_key SET last_used_at = last_used_at - interval '61 seconds' WHERE api_key = $1",
      [one.apiKey],
    );
    await one.api.must(200, 'GET', PATH);
    await waitUntil(async () => (await lastUsed(one))! >= first);
  });

  it('store their secrets encrypted', async () => {
    const [row] = await running.database.dataSource.query<{ sealed_secret: Buffer; rest: string }[]>(
      'SELECT sealed_secret, to_jsonb(api_key)::text AS rest FROM api_key WHERE api_key = $1',
      [someone.apiKey],
    );
    expect(row!.rest).not.toContain(someone.secret);
    expect(row!.sealed_secret.includes(Buffer.from(someone.secret))).toBe(false);
    expect(row!.sealed_secret.includes(Buffer.from(someone.secret, 'base64url'))).toBe(false);
  });

  it('cannot be used to manage API keys', async () => {
    const browser = { status: 401, body: { detail: 'Sign in with a browser first' } };
    for (const path of ['/api/v1/api_credentials', '/api/v1/api_credentials/list'])
      expect(await ask(`Bearer ${someone.token()}`, path)).toEqual(browser);
  });

  it('are recorded in the audit log', async () => {
    const one = await person('audited@example.com');
    await keys.revoke(one, one.apiKey);
    const entries = await running.database.dataSource.query<{ action: string; details: object }[]>(
      'SELECT action, actor_email, details FROM audit_entry WHERE subject = $1 ORDER BY id',
      [one.apiKey],
    );
    expect(entries).toEqual([
      { action: 'api_key_created', actor_email: one.email, details: {} },
      { action: 'api_key_revoked', actor_email: one.email, details: {} },
    ]);
  });
});
