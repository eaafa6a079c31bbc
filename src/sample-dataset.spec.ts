import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { requestOwnApi } from './sample-dataset';

const REFUSED_BY_FETCH = [4190, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080];

/** Listens on the first free port of the list. */
async function listen(server: Server): Promise<number> {
  for (const port of REFUSED_BY_FETCH) {
    server.listen(port, '127.0.0.1');
    const listens = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (listens) return port;
  }
  throw new Error(`All of ${REFUSED_BY_FETCH.join(', ')} are taken.`);
}

describe('requests to this service', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        response.statusCode = request.url === '/refused' ? 409 : 200;
        response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'] ?? null, body }));
      });
    });
    port = await listen(server);
  });

  afterAll(() => server.close());

  it('works on a port that fetch refuses', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
    expect(await requestOwnApi({ host: '127.0.0.1', port }, '/')).toEqual({ method: 'GET', type: null, body: '' });
  });

  it('sends a form', async () => {
    const form = new FormData();
    form.set('dataset_name', 'Sample');
    const { method, type, body } = await requestOwnApi<Record<string, string>>({ host: '127.0.0.1', port }, '/', form);
    expect([method, type]).toEqual(['POST', expect.stringMatching(/^multipart\/form-data; boundary=/)]);
    expect(body).toMatch(/name="dataset_name"\r\n\r\nSample\r\n/);
  });

  it('throws an error with the response', async () => {
    await expect(requestOwnApi({ host: '127.0.0.1', port }, '/refused')).rejects.toThrow('/refused answered 409: {');
  });
});
