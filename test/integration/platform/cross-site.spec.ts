import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Response } from 'playwright-core';
import { hasBrowser, startBrowser } from '../../support/browser';
import { CookieClient, type VisitOptions } from '../../support/cookie-client';
import { tokenOf } from '../../support/principals';
import { SigningIn } from '../../support/signing-in';
import { startTestApp } from '../../support/test-app';

const OWN = { 'sec-fetch-site': 'same-origin' };
const REFUSED = { status: 403, body: { detail: 'This request is only accepted from pages of this service' } };

describe('cross-site requests', () => {
  let world: SigningIn;
  let folder: string;

  beforeAll(async () => {
    world = await SigningIn.start({ RATE_LIMIT_CREDENTIALS: '0' });
    world.provider.add({ sub: 'ada', email: 'ada@example.com' });
    folder = join(world.running.folder, 'source');
    await mkdir(folder);
  });

  afterAll(() => world.close());

  const count = async (table: string): Promise<number> => {
    const [row] = await world.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return row!.n;
  };
  const changes = async (): Promise<number[]> =>
    Promise.all(['dataset', 'upload_transaction', 'api_key', 'login_session'].map(count));

  describe('detected by headers', () => {
    let browser: CookieClient;
    let dataset: string;

    beforeAll(async () => {
      browser = await world.signIn('ada', new CookieClient({}));
      const made = await browser.ask(world.at('/api/v1/ingestion/new_dataset?dataset_name=own'), { headers: OWN });
      dataset = (made.body as { dataset_id: string }).dataset_id;
    });

    const ROUTES: readonly (readonly [string, string])[] = [
      ['GET', '/api/v1/ingestion/new_dataset?dataset_name=evil'],
      ['HEAD', '/api/v1/ingestion/new_dataset?dataset_name=evil'],
      ['GET', '/api/v1/ingestion/DATASET/data_files'],
      ['GET', '/api/v1/api_credentials'],
      ['GET', '/api/v1/oidc/logout'],
      ['POST', '/api/v1/oidc/logout'],
      ['POST', '/api/v1/notifications/read-all'],
      ['POST', '/api/v1/dataset'],
      ['DELETE', '/api/v1/api_credentials/none'],
      ['DELETE', '/api/v1/dataset/DATASET/views/DATASET'],
    ];
    const OTHERS: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { referer: 'https://evil.example/page' },
      { referer: 'nothing of the kind' },
    ];
    const ask = (method: string, path: string, options: VisitOptions) =>
      browser.ask(world.at(path.replaceAll('DATASET', dataset)), { method, ...options });

    it.each(ROUTES)('are refused for %s %s', async (method, path) => {
      const before = await changes();
      for (const headers of OTHERS) {
        const { status, body } = await ask(method, path, { headers });
        expect({ status, body }).toEqual(method === 'HEAD' ? { status: 404, body: '' } : REFUSED);
      }
      expect(await changes()).toEqual(before);
    });

    it.each([
      ['sec-fetch-site', () => 'same-origin'],
      ['sec-fetch-site', () => 'none'],
      ['origin', () => world.running.url],
      ['referer', () => `${world.running.url}/api/v1/docs`],
    ])('do not include requests of the service itself, identified by %s', async (name, value) => {
      const headers = { [name]: value() };
      expect(await ask('GET', '/api/v1/ingestion/DATASET/data_files', { headers })).toMatchObject({ status: 200 });
      expect(await ask('POST', '/api/v1/notifications/read-all', { headers })).toMatchObject({ status: 200 });
    });

    it('include GET requests without headers, such as from a link over plain HTTP, if they have a cookie', async () => {
      const before = await changes();
      for (const [method, path] of ROUTES.filter(([method]) => method === 'GET'))
        expect(await ask(method, path, {})).toMatchObject({
          status: 403,
          body: { detail: expect.stringContaining('Referer') as string },
        });
      expect(await changes()).toEqual(before);
      expect(await ask('POST', '/api/v1/notifications/read-all', {})).toMatchObject({ status: 200 });
    });

    it('may read as far as the browser permits', async () => {
      for (const headers of OTHERS)
        expect(await ask('GET', '/api/v1/datasets', { headers })).toMatchObject({ status: 200 });
    });

    it('may change data with a bearer token, which browsers never add', async () => {
      const made = await ask('GET', '/api/v1/api_credentials', { headers: OWN });
      const { api_key: key, api_secret: secret } = made.body as { api_key: string; api_secret: string };
      const program = new CookieClient();
      const headers = {
        authorization: `Bearer ${tokenOf(key, secret)}`,
        'sec-fetch-site': 'cross-site',
        origin: 'https://app.example',
      };
      const address = world.at('/api/v1/notifications/read-all');
      expect(await program.ask(address, { method: 'POST', headers })).toMatchObject({ status: 200 });
    });

    it('are also refused without sign-in', async () => {
      const open = await startTestApp();
      try {
        const address = `${open.url}/api/v1/ingestion/new_dataset?dataset_name=evil`;
        for (const headers of OTHERS)
          expect(await new CookieClient({}).ask(address, { headers })).toMatchObject(REFUSED);
        expect(await new CookieClient({}).ask(address)).toMatchObject({ status: 200 });
      } finally {
        await open.close();
      }
    });
  });

  describe('in a real browser', () => {
    let browser: Browser | undefined;
    let evil: Server;
    let port: number;
    let context: BrowserContext;

    beforeAll(async () => {
      evil = createServer((request, response) => {
        const [way, service = world.running.url] = request.url!.split('?');
        response.writeHead(200, { 'content-type': 'text/html' }).end(evilPage(service, folder, way!));
      });
      await new Promise<void>((resolve) => evil.listen(0, resolve));
      port = (evil.address() as AddressInfo).port;
      if (hasBrowser) browser = await startBrowser();
      else console.warn('There is no Chromium: pages of other sites are not tried in one.');
    });

    afterAll(async () => {
      await browser?.close();
      evil.closeAllConnections();
      await new Promise((resolve) => evil.close(resolve));
    });

    const signInWithBrowser = async (): Promise<boolean> => {
      if (browser === undefined) return false;
      context = await browser.newContext();
      world.provider.who = 'ada';
      const page = await context.newPage();
      const answer = await page.goto(world.at('/api/v1/oidc/login?return_to=/api/v1/datasets'));
      expect([answer!.status(), page.url()]).toEqual([200, world.at('/api/v1/datasets')]);
      return true;
    };

    it.each(['localhost', '127.0.0.1'])('a page of %s cannot change data', async (host) => {
      if (!(await signInWithBrowser())) return;
      const page = await context.newPage();
      const before = await changes();
      let asked = 0;
      page.on('request', (request) => (asked += request.url().startsWith(world.running.url) ? 1 : 0));
      await page.goto(`http://${host}:${port}/pictures`, { waitUntil: 'load' });
      expect(asked).toBe(5);
      for (const way of ['/form', '/link', '/multipart']) {
        await page.goto(`http://${host}:${port}${way}`);
        const toService = (response: Response): boolean => response.url().startsWith(world.running.url);
        const [answer] = await Promise.all([page.waitForResponse(toService), page.click('#go')]);
        expect([401, 403]).toContain(answer.status());
      }
      expect(await changes()).toEqual(before);
      const still = await context.newPage();
      expect((await still.goto(world.at('/api/v1/datasets')))!.status()).toBe(200);
      await context.close();
    });

    it('a link of another site cannot change data over plain HTTP, where browsers send few headers', async () => {
      if (!hasBrowser) return;
      const named = await startBrowser(['--host-resolver-rules=MAP *.test 127.0.0.1']);
      try {
        const [service, other] = [`http://media.test:${new URL(world.running.url).port}`, `http://evil.test:${port}`];
        context = await named.newContext();
        const session = world.session(await world.signIn('ada'))!;
        await context.addCookies([{ name: 'SESSION', value: session, url: service, sameSite: 'Lax' }]);
        const before = await changes();
        const page = await context.newPage();
        const follow = async (from: string): Promise<number> => {
          await page.goto(from);
          const [answer] = await Promise.all([page.waitForResponse((each) => each.url() !== from), page.click('#go')]);
          return answer.status();
        };
        for (const way of ['/link', '/silent-link']) expect(await follow(`${other}${way}?${service}`)).toBe(403);
        expect(await changes()).toEqual(before);
        await page.goto(`${service}/api/v1/docs`);
        const asked = "fetch('/api/v1/ingestion/new_dataset?dataset_name=mine').then(({ status }) => status)";
        expect(await page.evaluate(asked)).toBe(200);
      } finally {
        await named.close();
      }
    });

    it('a page of the service itself can change data', async () => {
      if (!(await signInWithBrowser())) return;
      const page = await context.newPage();
      await page.goto(world.at('/api/v1/docs'));
      const before = await count('dataset');
      const asked = "fetch('/api/v1/ingestion/new_dataset?dataset_name=mine').then(({ status }) => status)";
      expect(await page.evaluate(asked)).toBe(200);
      expect(await count('dataset')).toBe(before + 1);
      await context.close();
    });
  });
});

/** A page that tries everything that browsers do not block. */
function evilPage(service: string, folder: string, way: string): string {
  const form = (attributes: string): string => `
    <form id="f" method="post" action="${service}/api/v1/dataset" ${attributes}>
      <input name="dataset_name" value="evil"><input name="bucket_path" value="${folder}">
      <button id="go">Win</button>
    </form>`;
  switch (way) {
    case '/form':
      return form('');
    case '/multipart':
      return form('enctype="multipart/form-data"');
    case '/link':
      return `<a id="go" href="${service}/api/v1/ingestion/new_dataset?dataset_name=evil">Win</a>`;
    case '/silent-link':
      return `<a id="go" rel="noreferrer" href="${service}/api/v1/oidc/logout">Win</a>`;
    default:
      return [
        '/api/v1/ingestion/new_dataset?dataset_name=evil',
        '/api/v1/api_credentials',
        '/api/v1/oidc/logout',
        `/api/v1/process?path=${encodeURIComponent(folder)}&name=evil`,
        '/api/v1/datasets/x/creation-status',
      ]
        .map((path) => `<img src="${service}${path}">`)
        .join('');
  }
}
