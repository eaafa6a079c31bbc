import type { NestExpressApplication } from '@nestjs/platform-express';
import { describeApi } from '../../../src/common/platform/http/description/open-api';
import { declaredRoutes } from '../../../src/common/platform/http/description/routes';
import { EventStream } from '../../support/event-stream';
import { ApiClient, filesForm, type Answer } from '../../support/api-client';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const SETTINGS = '/api/v1/admin/settings';

const LOW_LIMITS = {
  RATE_LIMIT_LOGIN: '2',
  RATE_LIMIT_CREDENTIALS: '2',
  RATE_LIMIT_UPLOAD: '2',
  RATE_LIMIT_SEARCH: '3',
  RATE_LIMIT_EXPORT: '2',
  RATE_LIMIT_PUBLIC: '2',
  RATE_LIMIT_MEDIA: '2',
  MAX_STREAMS_PER_USER: '2',
};

/** The described routes, with values in place of parameters. */
function publicRoutes(app: NestExpressApplication): [method: string, path: string][] {
  const declared = declaredRoutes(app);
  return Object.entries(describeApi(app).paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { operationId: string }>)
      .filter(([, { operationId }]) => declared.get(operationId)!.access?.kind === 'public')
      .map(([method]): [string, string] => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'store')]),
  );
}

describe('rate limits', () => {
  let running: TestApp;
  let admin: SignedIn;
  let dataset: string;
  let people = 0;

  beforeAll(async () => {
    running = await startTestApp({ ...OIDC_VARIABLES, ...LOW_LIMITS, TRUSTED_PROXIES: '127.0.0.0/8' });
    admin = await signedIn(running, { email: 'admin@limits.example', role: 'admin' });
    const path = '/api/v1/ingestion/new_dataset?dataset_name=limited';
    dataset = (await admin.api.must<{ dataset_id: string }>(200, 'GET', path)).dataset_id;
  });

  afterAll(() => running.close());

  const another = async (): Promise<SignedIn> =>
    signedIn(running, { email: `${(people += 1)}@limits.example`, role: 'admin' });

  const expectTooMany = ({ status, headers, body }: Answer, detail: RegExp): void => {
    expect({ status, body }).toEqual({ status: 429, body: { detail: expect.stringMatching(detail) as string } });
    const retryAfter = Number(headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
  };

  it('apply per user to all routes of a group', async () => {
    const [one, other] = [await another(), await another()];
    const paths = [`/api/v1/explore/${dataset}`, `/api/v1/explore/${dataset}`, `/api/v1/dataset/${dataset}/facets`];
    for (const path of paths) expect((await one.api.ask('GET', path)).status).not.toBe(429);
    for (const path of paths)
      expectTooMany(
        await one.api.ask('GET', path),
        /^Too many searches: 3 a minute are allowed; try again in \d+ seconds$/,
      );
    expect((await other.api.ask('GET', paths[0]!)).status).not.toBe(429);
    expect((await one.api.ask('GET', `/api/v1/dataset/${dataset}`)).status).toBe(200);
  });

  it('apply to uploads and exports', async () => {
    const { api } = await another();
    const upload = () => api.ask('POST', `/api/v1/ingestion/${dataset}/data_files/1`, filesForm([]));
    const exporting = () =>
      api.ask('GET', `/api/v1/dataset/${dataset}/export_context_async?file_name=a.zip&export_format=json`);
    for (const ask of [upload, exporting])
      for (let times = 0; times < 2; times += 1) expect((await ask()).status).not.toBe(429);
    expectTooMany(await upload(), /^Too many uploads: 2 a minute/);
    expectTooMany(await exporting(), /^Too many exports: 2 a minute/);
  });

  it('are checked after authorisation; refused requests do not count', async () => {
    const { api } = await another();
    const viewer = await signedIn(running, { email: 'viewer@limits.example', role: 'viewer' });
    for (let times = 0; times < 5; times += 1) await viewer.api.must(404, 'GET', `/api/v1/explore/${dataset}`);
    for (let times = 0; times < 5; times += 1) await api.must(401, 'GET', '/api/v1/api_credentials');
  });

  it('apply to sign-ins per address, as forwarded by a trusted proxy', async () => {
    const from = (address: string) =>
      new ApiClient(running.url, () => ({ 'x-forwarded-for': address })).ask('GET', '/api/v1/oidc/login');
    for (let times = 0; times < 2; times += 1) expect((await from('192.0.2.1')).status).toBe(503);
    expectTooMany(await from('192.0.2.1'), /^Too many sign-ins: 2 a minute/);
    expect((await from('192.0.2.2')).status).toBe(503);
  });

  it('apply to every public route per address, except health', async () => {
    const others = ['/metrics', '/health/live', '/health/ready'].map((path) => ['GET', path] as const);
    const routes = [...publicRoutes(running.app), ...others];
    for (const [at, [method, path]] of routes.entries()) {
      const asked = { method, headers: { 'x-forwarded-for': `198.51.100.${at}` }, redirect: 'manual' } as const;
      const statuses = [];
      for (let times = 0; times < 3; times += 1) statuses.push((await fetch(`${running.url}${path}`, asked)).status);
      const isHealth = path.startsWith('/health/');
      expect({ method, path, limited: statuses.map((status) => status === 429) }).toEqual({
        method,
        path,
        limited: [false, false, !isHealth],
      });
    }
  });

  it('can be changed while the service runs', async () => {
    const { api } = await another();
    const search = () => api.ask('GET', `/api/v1/explore/${dataset}`);
    for (let times = 0; times < 3; times += 1) await search();
    expectTooMany(await search(), /3 a minute/);
    await admin.api.must(200, 'POST', SETTINGS, { key: 'RATE_LIMIT_SEARCH', value: 4 });
    expect((await search()).status).not.toBe(429);
    expectTooMany(await search(), /4 a minute/);
    await admin.api.must(200, 'POST', SETTINGS, { key: 'RATE_LIMIT_SEARCH', value: 0 });
    for (let times = 0; times < 10; times += 1) expect((await search()).status).not.toBe(429);
    await admin.api.must(200, 'DELETE', `${SETTINGS}?key=RATE_LIMIT_SEARCH`);
  });

  it('apply to the open streams of a user', async () => {
    const [one, other] = [await another(), await another()];
    const open = (who: SignedIn) => EventStream.open(running.url, '', { authorization: `Bearer ${who.token()}` });
    const streams = [await open(one), await open(one)];
    for (const stream of streams) expect(stream.head).toMatch(/^HTTP\/1\.1 200 /);
    const refused = await open(one);
    expect(refused.head).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused.head).toMatch(/retry-after: \d+/i);
    await waitUntil(() => refused.holds('You have 2 notification streams open'));
    refused.close();
    const foreign = await open(other);
    expect(foreign.head).toMatch(/^HTTP\/1\.1 200 /);
    streams[0]!.close();
    await waitUntil(async () => {
      const again = await open(one);
      again.close();
      return again.head.startsWith('HTTP/1.1 200 ');
    });
    for (const stream of [...streams, foreign]) stream.close();
  });

  it('do not apply without sign-in', async () => {
    const open = await startTestApp(LOW_LIMITS);
    try {
      const api = new ApiClient(open.url);
      for (let times = 0; times < 10; times += 1)
        expect((await api.ask('GET', `/api/v1/explore/${dataset}`)).status).toBe(404);
      const streams = await Promise.all([1, 2, 3, 4].map(() => EventStream.open(open.url)));
      for (const stream of streams) {
        expect(stream.head).toMatch(/^HTTP\/1\.1 200 /);
        stream.close();
      }
    } finally {
      await open.close();
    }
  });
});
