import { join } from 'node:path';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { freePort } from '../../support/program';
import { writeThenRead } from '../../support/raw-request';
import { startTestApp, type TestApp } from '../../support/test-app';

const REBOUND = 'rebound.evil.example';
const ask = (url: string, request: string, host: string) => writeThenRead(url, request, { host }, []);

describe('host names of a service without sign-in', () => {
  let running: TestApp;
  let pipeline: string;

  beforeAll(async () => {
    const port = await freePort();
    running = await startTestApp({ PIPELINE_PORT: String(port) });
    pipeline = `http://127.0.0.1:${port}`;
  });

  afterAll(() => running.close());

  it('must be those of its own machine, on every route', async () => {
    const paths = [
      '/',
      '/api/v1/datasets',
      '/api/v1/docs',
      '/api/v1/openapi.json',
      '/metrics',
      '/health/live',
      '/api/v1/media/store/a',
      '/nowhere',
    ];
    const both = [
      ...paths.map((path) => [running.url, path] as const),
      [pipeline, '/api/v1/process'] as const,
      [pipeline, '/health/ready'] as const,
    ];
    for (const [url, path] of both) {
      expect(await ask(url, `GET ${path}`, REBOUND)).toMatchObject({ status: 403 });
      expect((await ask(url, `GET ${path}`, 'localhost')).body).not.toContain('ALLOWED_HOSTS');
    }
    expect(await ask(running.url, 'GET /health/live', '127.0.0.1')).toMatchObject({ status: 200 });
    expect(await ask(pipeline, 'GET /health/ready', '127.0.0.1')).toMatchObject({ status: 200 });
  });

  it('are refused in the format of the pipeline interface on its port', () =>
    expect(ask(pipeline, 'POST /api/v1/process', REBOUND)).resolves.toMatchObject({
      status: 403,
      body: expect.stringContaining('"status":"error"') as string,
    }));

  it('do not permit an export by HEAD or by a page of another site', async () => {
    const api = new ApiClient(running.url);
    const folder = join(running.folder, 'pictures');
    await writePicture(join(folder, 'a.jpg'), 1);
    const id = await api.indexed('Exported', folder);
    const path = `${running.url}/api/v1/dataset/${id}/export_context_async?file_name=a&export_format=json`;
    expect((await fetch(path, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const [{ n }] = await running.database.dataSource.query<[{ n: number }]>(
      'SELECT count(*)::int AS n FROM export_task',
    );
    expect(n).toBe(0);
    expect((await fetch(path)).status).toBe(200);
  });
});

describe('host names of a public service', () => {
  const OPEN = { HOST: '0.0.0.0', ALLOW_OPEN: 'true' };
  const PATHS = ['/', '/api/v1/datasets', '/api/v1/docs', '/metrics', '/health/live', '/nowhere'];
  const BY_ADDRESS = ['/metrics', '/health/live', '/health/ready'];
  let running: TestApp | undefined;

  const start = async (variables: Readonly<Record<string, string>>): Promise<string> => {
    const port = await freePort();
    running = await startTestApp({ ...OPEN, PORT: String(port), ...variables });
    return `http://127.0.0.1:${port}`;
  };

  afterEach(() => running?.close());

  it('are those of BASE_URL, the machine and ALLOWED_HOSTS if BASE_URL is set', async () => {
    const url = await start({ BASE_URL: 'http://media.example:8080', ALLOWED_HOSTS: 'Media.internal, [fd00::7]' });
    for (const path of PATHS) {
      for (const host of [REBOUND, 'media.example.evil.example', 'internal'])
        expect(await ask(url, `GET ${path}`, host)).toMatchObject({ status: 403 });
      for (const host of ['media.example:8080', 'MEDIA.example', 'localhost:3000', 'media.internal', '[fd00::7]:3000'])
        expect((await ask(url, `GET ${path}`, host)).body).not.toContain('ALLOWED_HOSTS');
    }
    expect((await ask(url, 'GET /api/v1/datasets', REBOUND)).body).toContain(REBOUND);
  });

  it('may be IP addresses for health, metrics and the pipeline, which are requested from pods', async () => {
    const pipelinePort = await freePort();
    const url = await start({ BASE_URL: 'http://127.0.0.1:3000', PIPELINE_PORT: String(pipelinePort) });
    for (const host of ['10.1.2.3:3000', '[fd00::7]:3000']) {
      for (const path of BY_ADDRESS) expect(await ask(url, `GET ${path}`, host)).toMatchObject({ status: 200 });
      expect(await ask(url, 'GET /api/v1/datasets', host)).toMatchObject({ status: 403 });
    }
    const pipeline = `http://127.0.0.1:${pipelinePort}`;
    expect(await ask(pipeline, 'POST /api/v1/process', '10.1.2.3:8081')).toMatchObject({ status: 400 });
    expect(await ask(pipeline, 'GET /health/ready', '10.1.2.3:8081')).toMatchObject({ status: 200 });
    expect(await ask(pipeline, 'POST /api/v1/process', REBOUND)).toMatchObject({ status: 403 });
  });

  it('are not checked without BASE_URL and ALLOWED_HOSTS', async () => {
    const url = await start({});
    expect(await ask(url, 'GET /api/v1/datasets', 'box.lan:3000')).toMatchObject({ status: 200 });
  });

  it('are those of ALLOWED_HOSTS and the machine if only ALLOWED_HOSTS is set', async () => {
    const url = await start({ ALLOWED_HOSTS: 'box.lan' });
    expect(await ask(url, 'GET /api/v1/datasets', 'box.lan:3000')).toMatchObject({ status: 200 });
    expect(await ask(url, 'GET /api/v1/datasets', '127.0.0.1')).toMatchObject({ status: 200 });
    expect(await ask(url, 'GET /api/v1/datasets', REBOUND)).toMatchObject({ status: 403 });
  });
});
