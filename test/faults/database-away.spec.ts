import { CuttableProxy } from '../support/cuttable-proxy';
import { startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const ID = '00000000-0000-4000-8000-000000000000';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

describe('the program while Postgres does not respond', () => {
  let proxy: CuttableProxy;
  let app: TestApp;
  let requests: { method: string; path: string }[];

  beforeAll(async () => {
    app = await startTestApp({ CALL_TIMEOUT_SECONDS: '1' }, undefined, async (url) => {
      proxy = await CuttableProxy.before(url);
      return proxy.through(url);
    });
    const { paths } = (await (await fetch(`${app.url}/api/v1/openapi.json`)).json()) as Description;
    requests = Object.entries(paths).flatMap(([path, operations]) =>
      METHODS.filter((method) => method in operations).map((method) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]{1,60}\}/g, ID),
      })),
    );
  });
  afterAll(async () => {
    proxy.pass();
    await waitUntil(async () => (await fetch(`${app.url}/health/ready`)).ok);
    await app.close();
    await proxy.close();
  });

  const ask = ({ method, path }: { method: string; path: string }) =>
    fetch(app.url + path, {
      method,
      signal: AbortSignal.timeout(15_000),
      ...(['GET', 'DELETE'].includes(method) ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
    });

  it('responds with 503 within the limit, then immediately', async () => {
    proxy.fallSilent();
    const answer = await ask({ method: 'GET', path: '/api/v1/datasets' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    await expect(answer.json()).resolves.toEqual({
      detail: 'The database is not reachable. Try again in a few seconds.',
    });
    const health = await ask({ method: 'GET', path: '/health/ready' });
    await expect(health.json()).resolves.toMatchObject({
      status: 'unavailable',
      parts: { postgres: expect.stringMatching(/^down: /) as string, store: 'up', models: 'up' },
    });
    expect((await ask({ method: 'GET', path: '/health/live' })).status).toBe(200);
  });

  it('returns 500 for no route', async () => {
    proxy.cut();
    expect(requests.length).toBeGreaterThan(80);
    const statuses = new Map<string, number>();
    for (const request of requests) {
      const answer = await ask(request);
      statuses.set(`${request.method} ${request.path}`, answer.status);
      await answer.body?.cancel();
    }
    expect([...statuses].filter(([, status]) => status === 500)).toEqual([]);
    expect([...statuses.values()].filter((status) => status === 503).length).toBeGreaterThan(40);
  });

  it('recovers when Postgres responds', async () => {
    proxy.pass();
    await waitUntil(async () => (await ask({ method: 'GET', path: '/api/v1/datasets' })).status === 200);
  });
});
