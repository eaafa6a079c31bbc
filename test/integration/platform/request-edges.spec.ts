import { deflateSync } from 'node:zlib';
import { setMaxListeners } from 'node:events';
import { EventStream } from '../../support/event-stream';
import { ApiClient } from '../../support/api-client';
import { freePort } from '../../support/program';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { sendSlowly, writeThenRead } from '../../support/raw-request';
import { startTestApp, type TestApp } from '../../support/test-app';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NOBODY = '11111111-2222-4333-8444-555555555555';
const MIB = 1024 * 1024;
const TOKEN = 'a-token-of-some-length';
const JSON_TYPE = { 'content-type': 'application/json' };

function* megabytes(count: number): Generator<Buffer> {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(MIB, 'x');
}

describe('request bodies', () => {
  let running: TestApp;
  let pipeline: string;
  let admin: SignedIn;
  let dataset: string;
  /** Takes ten seconds or more, so the other tests run meanwhile. */
  let slowOnes: Promise<void>;
  let stalled: Promise<string>;

  beforeAll(async () => {
    const pipelinePort = await freePort();
    running = await startTestApp({
      ...OIDC_VARIABLES,
      PIPELINE_PORT: String(pipelinePort),
      PIPELINE_TOKEN: TOKEN,
    });
    pipeline = `http://127.0.0.1:${pipelinePort}`;
    admin = await signedIn(running, { email: 'admin@edges.example', role: 'admin' });
    const path = '/api/v1/ingestion/new_dataset?dataset_name=edges';
    dataset = (await admin.api.must<{ dataset_id: string }>(200, 'GET', path)).dataset_id;
    stalled = sendStalled();
    slowOnes = sendAllSlowly();
    // Awaited in its own test; until then a failure must not count as unhandled.
    slowOnes.catch(() => undefined);
    stalled.catch(() => undefined);
  });

  afterAll(() => running.close());

  /** Resolves when the service has ended the last connection. */
  const sendAllSlowly = async (): Promise<void> => {
    const json = { ...JSON_TYPE, 'content-length': '1000000' };
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '5000' };
    const requests: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
      [running.url, `POST /api/v1/vector_search/${NOBODY}`, json],
      [running.url, 'POST /nowhere', json],
      [running.url, 'GET /health/live', json],
      [running.url, 'POST /api/v1/oidc/backchannel-logout', form],
      [pipeline, 'POST /api/v1/process', json],
      [pipeline, 'POST /api/v1/dataset', json],
    ];
    setMaxListeners(0);
    const open = requests.flatMap(([url, request, headers]) =>
      Array.from({ length: 40 }, () => sendSlowly(url, request, headers)),
    );
    await Promise.all((await Promise.all(open)).map(({ closed }) => closed));
  };

  /** Sends most of a large body, and the rest byte by byte; resolves with the response. */
  const sendStalled = async (): Promise<string> => {
    const user = await signedIn(running, { email: 'stalled@edges.example', role: 'admin' });
    const headers = { ...JSON_TYPE, authorization: `Bearer ${user.token()}`, 'content-length': String(4 * MIB) };
    const request = `POST /api/v1/dataset/${dataset}/export_entities_async?export_format=json`;
    return (await sendSlowly(running.url, request, headers, Buffer.alloc(3 * MIB, ' '))).answer;
  };

  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${admin.token()}` });

  describe('are not read before authentication', () => {
    it('80 anonymous posts of deflated JSON take no memory', async () => {
      const deep = deflateSync(Buffer.from('['.repeat(2 * MIB) + ']'.repeat(2 * MIB)));
      const before = process.memoryUsage.rss();
      const post = (): Promise<Response> =>
        fetch(`${running.url}/api/v1/vector_search/${NOBODY}`, {
          method: 'POST',
          headers: { ...JSON_TYPE, 'content-encoding': 'deflate' },
          body: deep,
        });
      const answers = await Promise.all(Array.from({ length: 80 }, post));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
    });

    it('a client that waits for "100 Continue" is refused before it sends its body', async () => {
      const answer = await writeThenRead(
        running.url,
        `POST /api/v1/vector_search/${NOBODY}`,
        { ...JSON_TYPE, 'content-length': '1000', expect: '100-continue' },
        [],
      );
      expect(answer.status).toBe(401);
    });
  });

  describe('early responses reach the client', () => {
    const upload = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(20 * MIB) };
    const chunkedUpload = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' };

    const send = (address: string, request: string, headers: Readonly<Record<string, string>>) =>
      writeThenRead(address, request, headers, megabytes(20));

    it('401 for an unknown caller', async () => {
      for (const path of [`/api/v1/dataset/${NOBODY}/add_media`, `/api/v1/dataset`]) {
        const { status, body, failure, headers } = await send(running.url, `POST ${path}`, upload);
        expect({ status, failure, body }).toEqual({
          status: 401,
          failure: undefined,
          body: expect.stringContaining('"detail"') as string,
        });
        expect(headers['connection']).toBe('close');
      }
    });

    it('404, also for an unknown route', async () => {
      const known = { ...upload, ...bearer() };
      for (const path of ['/api/v1/nothing', `/api/v1/dataset/${NOBODY}/add_media`])
        expect(await send(running.url, `POST ${path}`, known)).toMatchObject({ status: 404, failure: undefined });
    });

    it('400 for a dataset that was never indexed', async () => {
      const known = { ...upload, ...bearer() };
      expect(await send(running.url, `POST /api/v1/dataset/${dataset}/add_media`, known)).toMatchObject({
        status: 400,
        failure: undefined,
      });
    });

    it('413 for a body that is too large, by its header or its size', async () => {
      const invite = `PUT /api/v1/manage/${dataset}/invite`;
      expect(
        await send(running.url, invite, { ...JSON_TYPE, ...bearer(), 'content-length': String(20 * MIB) }),
      ).toMatchObject({ status: 413, failure: undefined });
      const found = await writeThenRead(
        running.url,
        invite,
        { ...JSON_TYPE, ...bearer(), 'transfer-encoding': 'chunked' },
        Array.from({ length: 20 }, () => `100000\r\n${'x'.repeat(MIB)}\r\n`),
      );
      expect(found).toMatchObject({ status: 413, failure: undefined });
    });

    it('on the pipeline port: 401, and 404 for other routes', async () => {
      expect(await send(pipeline, 'POST /api/v1/process', upload)).toMatchObject({ status: 401, failure: undefined });
      expect(await send(pipeline, 'POST /api/v1/dataset', upload)).toMatchObject({ status: 404, failure: undefined });
    });

    it('400 for a malformed form before its end', async () => {
      const chunks = [
        '5\r\n--b\r\n\r\n',
        '4\r\nnope\r\n',
        ...Array.from(megabytes(8), (chunk) => `100000\r\n${chunk.toString()}\r\n`),
      ];
      const answer = await writeThenRead(
        running.url,
        'POST /api/v1/dataset',
        { ...chunkedUpload, ...bearer() },
        chunks,
      );
      expect([400, 413]).toContain(answer.status);
      expect(answer.failure).toBeUndefined();
    });
  });

  it('are rejected if encoded, nested too deeply or not UTF-8', async () => {
    const ask = async (
      headers: Readonly<Record<string, string>>,
      body: string | Uint8Array<ArrayBuffer>,
    ): Promise<unknown> => {
      const answer = await fetch(`${running.url}/api/v1/vector_search/${dataset}`, {
        method: 'POST',
        headers: { ...bearer(), ...headers },
        body,
      });
      return [answer.status, await answer.json()];
    };
    expect(await ask({ ...JSON_TYPE, 'content-encoding': 'deflate' }, deflateSync('{}'))).toEqual([
      415,
      { detail: 'The body is encoded as "deflate". Send it without Content-Encoding.' },
    ]);
    expect(await ask(JSON_TYPE, '['.repeat(33))).toEqual([
      422,
      { detail: [{ type: 'json_invalid', loc: ['body'], msg: 'The body nests deeper than 32 levels', input: null }] },
    ]);
    expect(await ask({ 'content-type': 'application/json; charset=utf-16' }, '{}')).toMatchObject([415, {}]);
    expect(await ask(JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]))).toMatchObject([422, {}]);
  });

  describe('that are malformed forms return 400 or 422', () => {
    const FORMS: readonly (readonly [string, string])[] = [
      ['POST', '/api/v1/dataset'],
      ['POST', '/api/v1/ingestion/DATASET/data_files/TRANSACTION'],
      ['POST', '/api/v1/dataset/DATASET/views?entity_type=IMAGES'],
      ['POST', '/api/v1/dataset/DATASET/add_media'],
    ];
    const part = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.jpg"\r\n\r\n';
    const BODIES: readonly (readonly [string, string, string])[] = [
      ['no boundary', 'multipart/form-data', `${part}x\r\n--b--\r\n`],
      ['an empty boundary', 'multipart/form-data; boundary=', `${part}x\r\n--b--\r\n`],
      ['a content type that is none', 'multipart/form-data; =;;"', 'x'],
      ['nothing', 'multipart/form-data; boundary=b', ''],
      ['no form', 'multipart/form-data; boundary=b', 'nothing of the kind'],
      ['a bad part header', 'multipart/form-data; boundary=b', '--b\r\nno header\r\n\r\nx\r\n--b--\r\n'],
      [
        'a part header of control characters',
        'multipart/form-data; boundary=b',
        '--b\r\n\0\x01: \x02\r\n\r\nx\r\n--b--\r\n',
      ],
      ['a part header without an end', 'multipart/form-data; boundary=b', `--b\r\na: ${'x'.repeat(30_000)}`],
      ['a cut file', 'multipart/form-data; boundary=b', `${part}begun`],
      ['a cut text', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nbegun'],
      [
        'a part without a name',
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--\r\n',
      ],
    ];
    let transaction: number;

    beforeAll(async () => {
      const path = `/api/v1/ingestion/${dataset}/data_files`;
      transaction = (await admin.api.must<{ trans_id: number }>(200, 'GET', path)).trans_id;
    });

    it.each(BODIES)('%s', async (_, type, body) => {
      for (const [method, template] of FORMS) {
        const path = template.replace('DATASET', dataset).replace('TRANSACTION', String(transaction));
        const answer = await fetch(`${running.url}${path}`, {
          method,
          headers: { ...bearer(), 'content-type': type },
          body,
        });
        const expected = path.endsWith('/add_media') ? [400, 409, 422] : [400, 422];
        expect(expected).toContain(answer.status);
        expect(await answer.json()).toHaveProperty('detail');
      }
      const answer = await fetch(`${pipeline}/api/v1/process`, {
        method: 'POST',
        headers: { 'x-pipeline-token': TOKEN, 'content-type': type },
        body,
      });
      expect(answer.status).toBe(400);
    });
  });

  it('time out within seconds if they are slow and unauthenticated', () => slowOnes, 60_000);

  it('time out if they stall', async () => {
    expect(await stalled).toMatch(/^HTTP\/1.1 408 [^]*Less than 64 KiB of the body arrived within 10 seconds/);
  });

  describe('every response has a request id', () => {
    const header = (response: Response): string | null => response.headers.get('x-request-id');

    it('from the caller or generated', async () => {
      const given = { ...bearer(), 'x-request-id': 'caller-7.a_B' };
      expect(header(await fetch(`${running.url}/api/v1/datasets`, { headers: given }))).toBe('caller-7.a_B');
      const paths = [
        '/api/v1/datasets',
        '/api/v1/nothing',
        '/health/live',
        '/metrics',
        '/api/v1/docs',
        '/api/v1/openapi.json',
      ];
      for (const path of paths)
        for (const bad of ['', 'x'.repeat(65), 'a b'])
          expect(header(await fetch(`${running.url}${path}`, { headers: { 'x-request-id': bad } }))).toMatch(UUID);
      expect(header(await fetch(`${pipeline}/api/v1/process`))).toMatch(UUID);
      expect(header(await fetch(`${pipeline}/elsewhere`))).toMatch(UUID);
    });

    it('also for invalid HTTP and for streams', async () => {
      const unreadable = await writeThenRead(running.url, 'not http', {}, []);
      expect(unreadable.headers['x-request-id']).toMatch(UUID);
      const stream = await EventStream.open(running.url, '', bearer());
      expect(stream.head).toMatch(/x-request-id: [\w-]{36}/i);
      stream.close();
    });
  });

  it('with texts that no column can store are refused in any place', async () => {
    const form = (fields: Readonly<Record<string, string>>): FormData => {
      const made = new FormData();
      for (const [name, value] of Object.entries(fields)) made.set(name, value);
      return made;
    };
    const asked: readonly (readonly [string, string, (FormData | object)?])[] = [
      ['GET', '/api/v1/tasks?dataset_name=a%00b'],
      ['GET', '/api/v1/tasks?created_by=%00'],
      ['GET', '/api/v1/admin/audit?actor=%00'],
      ['GET', '/api/v1/admin/audit?subject=a%00'],
      ['GET', '/api/v1/ingestion/new_dataset?dataset_name=a%00b'],
      ['POST', '/api/v1/dataset', form({ dataset_name: 'a\0b', bucket_path: '/tmp' })],
      ['POST', '/api/v1/dataset', form({ dataset_name: 'a', bucket_path: '/tmp/\0' })],
      ['PUT', `/api/v1/manage/${dataset}/invite`, { grant_to_user_email: 'a\0@b.example' }],
      ['POST', '/api/v1/admin/settings', { key: 'LOG_LEVEL', value: 'a\0' }],
      ['POST', '/api/v1/admin/settings', { key: 'LOG_LEVEL', value: { deep: ['\ud800'] } }],
      ['POST', `/api/v1/dataset/${dataset}/tags`, { name: 'a\ud800' }],
      ['GET', '/api/v1/tasks?start_time_from=-271821-04-20T00:00:00Z'],
      ['GET', '/api/v1/tasks/filters?start_time_to=%2B275760-01-01T00:00:00Z'],
      ['GET', '/api/v1/admin/audit?from=-004800-01-01T00:00:00Z'],
      ['GET', '/api/v1/admin/audit?to=0000-12-31T23:59:59'],
    ];
    for (const [method, path, body] of asked) {
      const { status } = await admin.api.ask(method, path, body);
      expect({ method, path, refused: status === 400 || status === 422 }).toEqual({ method, path, refused: true });
    }
  });

  it('of a form without files are limited in total', async () => {
    const form = new FormData();
    for (let field = 0; field < 3; field += 1) form.set(`f${field}`, 'x'.repeat(30_000));
    expect(await admin.api.ask('POST', '/api/v1/dataset', form)).toMatchObject({ status: 413 });
  });

  it('of a selection may be large', async () => {
    const ids = Array.from({ length: 50_000 }, () => NOBODY);
    const body = { media_selection: [{ type: 'media', payload: { media_ids: ids } }] };
    const path = `/api/v1/dataset/${dataset}/export_entities_async?export_format=json`;
    expect(await admin.api.ask('POST', path, body)).toMatchObject({ status: 409 });
    expect(await new ApiClient(running.url).ask('POST', path, body)).toMatchObject({ status: 401 });
  });
});
