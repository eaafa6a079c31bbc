import { TransactionRunner } from '../../../src/common/platform/database/transaction-runner';
import { ProviderDiscovery } from '../../../src/modules/auth/oidc/provider-discovery';
import { SessionSweep } from '../../../src/modules/auth/sessions/sessions';
import { Sessions } from '../../../src/modules/auth';
import { CookieClient, locationOf } from '../../support/cookie-client';
import { EventStream, withFrequentChecks } from '../../support/event-stream';
import { tokenOf } from '../../support/principals';
import { SigningIn } from '../../support/signing-in';
import { waitUntil } from '../../support/wait-until';

const IDLE_SECONDS = 3600;
const LOGOUT = '/api/v1/oidc/logout';

describe('a browser session', () => {
  let world: SigningIn;
  let browser: CookieClient;

  beforeAll(async () => {
    const variables = { SESSION_IDLE_SECONDS: String(IDLE_SECONDS), SESSION_MAX_SECONDS: '86400' };
    world = await SigningIn.start(variables, withFrequentChecks);
    world.provider.add({ sub: 'ada', email: 'ada@example.com' });
    world.provider.add({ sub: 'bob', email: 'bob@example.com' });
  });

  afterAll(() => world.close());

  beforeEach(async () => {
    browser = await world.signIn('ada');
  });

  const seenBefore = async (seconds: number): Promise<void> => {
    await world.sql('UPDATE login_session SET last_seen_at = now() - make_interval(secs => $2) WHERE id_hash = $1', [
      world.idOfSession(browser),
      seconds,
    ]);
  };
  const lastSeen = async (): Promise<Date> => {
    const [row] = await world.sql<{ last_seen_at: Date }>('SELECT last_seen_at FROM login_session WHERE id_hash = $1', [
      world.idOfSession(browser),
    ]);
    return row!.last_seen_at;
  };
  const isKept = async (): Promise<boolean> =>
    (await world.sql('SELECT 1 FROM login_session WHERE id_hash = $1', [world.idOfSession(browser)])).length === 1;
  const userId = async (subject: string): Promise<string> => {
    const [row] = await world.sql<{ id: string }>('SELECT id FROM app_user WHERE subject = $1', [subject]);
    return row!.id;
  };

  describe('expiry', () => {
    it('is extended by use', async () => {
      await seenBefore(IDLE_SECONDS - 20);
      expect(await world.status(browser)).toBe(200);
      expect(Date.now() - (await lastSeen()).getTime()).toBeLessThan(10_000);
    });

    it('is updated at most once a minute', async () => {
      await seenBefore(30);
      const before = await lastSeen();
      expect(await world.status(browser)).toBe(200);
      expect(await lastSeen()).toEqual(before);
    });

    it('ends when it is idle', async () => {
      await seenBefore(IDLE_SECONDS + 1);
      expect(await world.status(browser)).toBe(401);
    });

    it('ends at its maximum age regardless of use', async () => {
      const [row] = await world.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM ends_at - created_at)::int AS seconds FROM login_session WHERE id_hash = $1',
        [world.idOfSession(browser)],
      );
      expect(row!.seconds).toBe(86_400);
      await world.sql("UPDATE login_session SET ends_at = now() - interval '1 second' WHERE id_hash = $1", [
        world.idOfSession(browser),
      ]);
      expect(await world.status(browser)).toBe(401);
    });

    it('is swept only after it has ended', async () => {
      const sweep = world.running.app.get(SessionSweep, { strict: false });
      await world.sql('DELETE FROM login_session WHERE id_hash <> $1', [world.idOfSession(browser)]);
      await world.sql(
        "INSERT INTO used_logout_token VALUES ('old', now() - interval '1 second'), ('new', now() + interval '1 hour')",
      );
      expect(await sweep.sweep(new Date())).toBe(1);
      await seenBefore(IDLE_SECONDS + 1);
      expect(await sweep.sweep(new Date())).toBe(1);
      expect(await isKept()).toBe(false);
    });
  });

  describe('sign-out', () => {
    it('ends the session here and at the provider', async () => {
      const away = await browser.ask(world.at(LOGOUT));
      expect(away.status).toBe(303);
      const elsewhere = locationOf(away);
      expect(elsewhere.origin).toBe(world.provider.issuer);
      expect(elsewhere.searchParams.get('post_logout_redirect_uri')).toBe(world.at('/'));
      expect(elsewhere.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
      expect(world.session(browser)).toBeUndefined();
      expect(await world.sql("SELECT subject FROM audit_entry WHERE action = 'sign_out'")).toEqual([
        { subject: 'ada' },
      ]);
    });

    it('makes the cookie invalid', async () => {
      const copy = world.holding(world.session(browser)!);
      await browser.ask(world.at(LOGOUT), { method: 'POST' });
      expect(await world.status(copy)).toBe(401);
    });

    it('is not possible from the page of another site', async () => {
      for (const method of ['GET', 'POST']) {
        const headers = { 'sec-fetch-site': 'cross-site' };
        expect(await browser.ask(world.at(LOGOUT), { method, headers })).toMatchObject({ status: 403 });
      }
      expect(await world.status(browser)).toBe(200);
    });

    it('does not require a session', async () => {
      const answer = await new CookieClient().ask(world.at(LOGOUT));
      expect([answer.status, locationOf(answer).href]).toEqual([303, world.at('/')]);
    });
  });

  describe('ended elsewhere', () => {
    const sessions = (): Sessions => world.running.app.get(Sessions, { strict: false });

    it('ends with all others of the user', async () => {
      const [second, other] = [await world.signIn('ada'), await world.signIn('bob')];
      await sessions().endOfUser(await userId('ada'));
      expect(await Promise.all([browser, second, other].map((each) => world.status(each)))).toEqual([401, 401, 200]);
    });

    it('ends with all others of the subject', async () => {
      const [second, other] = [await world.signIn('ada'), await world.signIn('bob')];
      await sessions().endOfSubject('ada');
      expect(await Promise.all([browser, second, other].map((each) => world.status(each)))).toEqual([401, 401, 200]);
    });

    it('remains if the transaction that ends it fails', async () => {
      const id = await userId('ada');
      const transactions = world.running.app.get(TransactionRunner, { strict: false });
      const failing = transactions.run(async () => {
        await sessions().endOfUser(id);
        throw new Error('as it happens');
      });
      await expect(failing).rejects.toThrow('as it happens');
      expect(await isKept()).toBe(true);
    });

    it('ends when the user signs out at the provider', async () => {
      const other = await world.signIn('bob');
      const page = await browser.ask(`${world.provider.issuer}/session/end`);
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(String(page.body)) ?? [];
      const form = { xsrf, logout: 'yes' };
      expect(await browser.ask(`${world.provider.issuer}/session/end/confirm`, { form })).toMatchObject({
        status: 303,
      });
      await waitUntil(async () => (await world.status(browser)) === 401);
      expect(await world.status(other)).toBe(200);
    });

    it('also ends its streams', async () => {
      const cookie = `SESSION=${world.session(browser)!}`;
      const stream = await EventStream.open(world.running.url, '', { cookie });
      expect(stream.head).toContain('200 OK');
      const before = stream.events.length;
      await stream.until(({ events }) => events.length > before + 1);
      expect(stream.isOver).toBe(false);
      await browser.ask(world.at(LOGOUT));
      await waitUntil(() => stream.isOver);
    });

    it('does not end streams of an API key, which end with the key', async () => {
      const made = await browser.ask(world.at('/api/v1/api_credentials'));
      const { api_key: key, api_secret: secret } = made.body as { api_key: string; api_secret: string };
      const stream = await EventStream.open(world.running.url, '', { authorization: `Bearer ${tokenOf(key, secret)}` });
      await browser.ask(world.at(LOGOUT));
      const before = stream.events.length;
      await stream.until(({ events }) => events.length > before + 1);
      expect(stream.isOver).toBe(false);
      await world.signIn('ada', browser);
      const path = `/api/v1/api_credentials/${key}`;
      expect(await browser.ask(world.at(path), { method: 'DELETE' })).toMatchObject({ status: 200 });
      await waitUntil(() => stream.isOver);
    });
  });

  it('is not affected while the provider is down; sign-in reports the outage', async () => {
    const login = async (): Promise<number> => (await new CookieClient().ask(world.at('/api/v1/oidc/login'))).status;
    world.provider.who = 'bob';
    const waiting = new CookieClient();
    const isCallback = ({ pathname }: URL): boolean => pathname === '/api/v1/oidc/callback';
    const callback = await waiting.visit(world.at('/api/v1/oidc/login'), {}, isCallback);
    await world.provider.stop();
    expect(await waiting.ask(locationOf(callback).href)).toMatchObject({
      status: 503,
      body: { detail: 'The identity provider cannot be reached. Try again later.' },
    });
    // The metadata of the provider is cached for a few seconds.
    const discovery = world.running.app.get(ProviderDiscovery, { strict: false });
    await waitUntil(() =>
      discovery.current().then(
        () => false,
        () => true,
      ),
    );
    expect(await login()).toBe(503);
    expect(await world.status(browser)).toBe(200);
    await world.provider.listen();
    expect(await login()).toBe(302);
    expect(await world.status(await world.signIn('bob'))).toBe(200);
  });
});
