import { freePort } from '../../support/program';
import { writeThenRead } from '../../support/raw-request';
import { startTestApp, type TestApp } from '../../support/test-app';

const POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];
/** For the page of the API description, which has inline styles. */
const DOCS_POLICY = [...POLICY, "img-src 'self' data:", "style-src 'self' 'unsafe-inline'"];

const ALWAYS = {
  'content-security-policy': POLICY.join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

describe('security headers', () => {
  let running: TestApp;
  let pipeline: string;

  beforeAll(async () => {
    const port = await freePort();
    running = await startTestApp({ PIPELINE_PORT: String(port), MAX_UPLOAD_BYTES: '1000' });
    pipeline = `http://127.0.0.1:${port}`;
  });

  afterAll(() => running.close());

  const headersOf = async (url: string, init: RequestInit = {}): Promise<Record<string, string>> => {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return Object.fromEntries(response.headers);
  };

  it.each([
    ['/api/v1/datasets', 'GET'],
    ['/api/v1/openapi.json', 'GET'],
    ['/health/ready', 'GET'],
    ['/metrics', 'GET'],
    ['/api/v1/media/store/unsigned', 'GET'],
    ['/nowhere', 'GET'],
    ['/api/v1/dataset/not-an-id', 'GET'],
    ['/api/v1/dataset', 'POST'],
    ['/api/v1/datasets', 'OPTIONS'],
    ['/api/v1/process', 'POST'],
  ])('are in every response: %s by %s', async (path, method) => {
    const headers = await headersOf(`${running.url}${path}`, { method });
    expect(headers).toMatchObject(ALWAYS);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    // Browsers ignore it over plain HTTP.
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it.each(['/api/v1/docs', '/api/v1/docs/swagger-ui-init.js', '/API/v1/Docs'])(
    'allow inline styles, but no inline scripts, on the page of the API description: %s',
    async (path) => {
      const policy = DOCS_POLICY.join(';');
      expect(await headersOf(`${running.url}${path}`)).toMatchObject({ ...ALWAYS, 'content-security-policy': policy });
    },
  );

  it('are also set on the pipeline port and for refused hosts', async () => {
    expect(await headersOf(`${pipeline}/health/ready`)).toMatchObject(ALWAYS);
    expect(await headersOf(`${pipeline}/elsewhere`)).toMatchObject(ALWAYS);
    const refused = await writeThenRead(running.url, 'GET /api/v1/datasets', { host: 'rebound.evil.example' }, []);
    expect(refused).toMatchObject({ status: 403, headers: ALWAYS });
  });

  it('require TLS if BASE_URL is https', async () => {
    const secure = await startTestApp({ BASE_URL: 'https://media.example.com', PORT: String(await freePort()) });
    try {
      const { port } = secure.app.getHttpServer().address() as { port: number };
      const headers = await headersOf(`http://127.0.0.1:${port}/api/v1/datasets`);
      expect(headers).toMatchObject({ ...ALWAYS, 'strict-transport-security': 'max-age=31536000' });
    } finally {
      await secure.close();
    }
  });
});
