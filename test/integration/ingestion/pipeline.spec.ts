import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../../support/api-client';
import { freePort } from '../../support/program';
import { pictureBytes, writePicture } from '../../support/pictures';
import { OIDC_VARIABLES } from '../../support/principals';
import { startTestApp, type TestApp } from '../../support/test-app';

const TOKEN = 'a-token-of-some-length';
const PROCESS = '/api/v1/process';

interface Said {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(address: string, init: RequestInit = {}): Promise<Said> {
  const response = await fetch(address, init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Said['body']) };
}

const failure = (status: number, message: unknown): Said => ({ status, body: { status: 'error', message } });

describe('the pipeline interface', () => {
  let running: TestApp;
  let api: ApiClient;
  let folder: string;

  beforeAll(async () => {
    running = await startTestApp();
    api = new ApiClient(running.url);
    folder = join(running.folder, 'pictures');
    for (let seed = 0; seed < 3; seed += 1) await writePicture(join(folder, `${seed}.jpg`), seed);
  });

  afterAll(() => running.close());

  const process = (query: Readonly<Record<string, string>>, init: RequestInit = {}): Promise<Said> =>
    ask(`${running.url}${PROCESS}?${new URLSearchParams(query).toString()}`, init);

  it('creates a dataset, adds media and reindexes it', async () => {
    const made = await process({ path: folder, name: 'Grown' });
    expect(made.body).toMatchObject({ status: 'success', name: 'Grown' });
    const id = made.body['dataset_id'] as string;
    await api.untilStatus(id, ['READY']);

    await writeFile(join(running.folder, 'more.jpg'), await pictureBytes(50));
    const list = join(running.folder, 'list.txt');
    await writeFile(list, `${join(running.folder, 'more.jpg')}\n`);
    const added = await ask(`${running.url}${PROCESS}/add_media`, {
      method: 'POST',
      body: JSON.stringify({ dataset_id: id, path: list, auto_reindex: false }),
      headers: { 'content-type': 'application/json' },
    });
    expect(added).toEqual({
      status: 200,
      body: { status: 'success', message: 'Added media processing started', dataset_id: id },
    });
    const second = await ask(`${running.url}${PROCESS}/add_media?dataset_id=${id}&path=${list}`);
    expect(second).toEqual(failure(409, "Operation 'add_media' is blocked while MEDIA_ADDITION task is running"));
    expect(await api.untilStatus(id, ['PARTIAL INDEX'])).toMatchObject({ n_images: 4 });

    const reindexed = await ask(`${running.url}${PROCESS}/reindex`, {
      method: 'POST',
      body: new URLSearchParams({ dataset_id: id }),
    });
    expect(reindexed).toEqual({
      status: 200,
      body: { status: 'success', message: 'Reindex processing started', dataset_id: id },
    });
    await api.untilStatus(id, ['READY']);
  });

  it('reads the parameters of a POST from a multipart form', async () => {
    const form = new FormData();
    form.set('path', folder);
    form.set('name', 'From a form');
    const { status, body } = await ask(`${running.url}${PROCESS}`, { method: 'POST', body: form });
    expect({ status, body }).toMatchObject({ status: 200, body: { name: 'From a form' } });
  });

  it('does not follow a link out of the folders that may be read', async () => {
    await mkdir(join(running.folder, 'links'));
    await symlink('/etc', join(running.folder, 'links', 'out'));
    expect(await process({ path: join(running.folder, 'links', 'out'), name: 'x' })).toEqual(
      failure(400, expect.stringMatching(/is outside the folders/)),
    );
    expect(await process({ path: join(folder, '..', '..', '..', 'etc'), name: 'x' })).toEqual(
      failure(400, expect.stringMatching(/is outside the folders/)),
    );
  });

  it.each([
    ['JSON that is broken', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['a form too large', { method: 'POST', body: new URLSearchParams({ path: 'x'.repeat(70_000) }) }, 413],
    ['another method', { method: 'DELETE' }, 404],
  ])('responds to %s in its own format', async (_, init, status) => {
    const said = await ask(`${running.url}${PROCESS}`, init);
    expect(said).toEqual(failure(status, expect.any(String)));
  });

  it('responds to an unknown path below it in its own format', async () => {
    expect(await ask(`${running.url}${PROCESS}/nothing`)).toEqual(
      failure(404, 'No such route: GET /api/v1/process/nothing'),
    );
  });

  it.each<[string, Record<string, string>]>([
    ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbouring port', { 'sec-fetch-site': 'same-site' }],
    ['a form of another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    for (const method of ['GET', 'POST'])
      expect(await process({ path: folder, name: 'x' }, { method, headers })).toEqual(
        failure(403, 'This request is only accepted from pages of this service'),
      );
  });

  it('starts no operation for a HEAD request', async () => {
    const before = await api.must<unknown[]>(200, 'GET', '/api/v1/datasets');
    expect((await process({ path: folder, name: 'x' }, { method: 'HEAD' })).status).toBe(404);
    expect(await api.must(200, 'GET', '/api/v1/datasets')).toEqual(before);
  });
});

describe('the pipeline interface on a separate port', () => {
  let running: TestApp;
  let pipeline: string;
  let folder: string;

  beforeAll(async () => {
    const port = await freePort();
    pipeline = `http://127.0.0.1:${port}`;
    running = await startTestApp({ PIPELINE_PORT: String(port), PIPELINE_TOKEN: TOKEN });
    folder = join(running.folder, 'pictures');
    await writePicture(join(folder, '1.jpg'), 1);
  });

  afterAll(() => running.close());

  it.each<[string, Record<string, string>]>([
    ['the token', { authorization: `Bearer ${TOKEN}` }],
    ['the token in a header of its own', { 'x-pipeline-token': TOKEN }],
  ])('accepts %s', async (_, headers) => {
    const { status, body } = await ask(`${pipeline}${PROCESS}?path=${folder}&name=x`, { headers });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'success' } });
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['another token', { authorization: 'Bearer another-token-of-it' }],
    ['an empty one', { 'x-pipeline-token': '' }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
  ])('refuses %s', async (_, headers) => {
    expect(await ask(`${pipeline}${PROCESS}?path=${folder}&name=x`, { headers })).toEqual(
      failure(401, 'The pipeline token is missing or wrong: send it as Authorization: Bearer or X-Pipeline-Token'),
    );
  });

  it.each([PROCESS, '/API/v1/Process', `${PROCESS}/reindex`])('is not served at %s of the main port', async (path) => {
    expect(await ask(`${running.url}${path}`, { headers: { 'x-pipeline-token': TOKEN } })).toEqual(
      failure(404, `No such route: GET ${path}`),
    );
  });

  it('serves its health there and nothing else', async () => {
    expect(await ask(`${pipeline}/health/ready`)).toMatchObject({ status: 200 });
    expect(await ask(`${pipeline}/api/v1/datasets`)).toEqual(failure(404, 'No such route: GET /api/v1/datasets'));
    expect((await ask(`${running.url}/api/v1/datasets`)).status).toBe(200);
  });
});

describe.each([
  [
    'in the cloud',
    { RUN_MODE: 'CLOUD', PIPELINE_TOKEN: TOKEN },
    'The pipeline interface is only available in self-hosted installations',
  ],
  ['with sign-in and without a token', {}, 'The pipeline interface is disabled. Set PIPELINE_TOKEN to enable it.'],
])('the pipeline interface %s', (_, variables: Readonly<Record<string, string>>, detail) => {
  it('returns 403 with the reason', async () => {
    const running = await startTestApp({ ...OIDC_VARIABLES, ...variables });
    try {
      const headers = { 'x-pipeline-token': TOKEN };
      expect(await ask(`${running.url}${PROCESS}?path=/x&name=x`, { headers })).toEqual(failure(403, detail));
    } finally {
      await running.close();
    }
  });
});
