import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConnectionError, MediaService, SDK_VERSION } from 'dataset-media-service-sdk';
import { FileForm } from './node_modules/dataset-media-service-sdk/dist/multipart.js';
import { postForm } from './node_modules/dataset-media-service-sdk/dist/post-form.js';
import { freePort } from './program.mjs';

const LARGE = 3_000_000;

describe('postForm', () => {
  let folder;
  let server;
  let url;
  let answer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-form-'));
    await writeFile(join(folder, 'large.bin'), Buffer.alloc(LARGE, 'a picture '));
    await writeFile(join(folder, 'empty.bin'), '');
    server = createServer((request, response) => {
      response.setHeader('X-DMS-Version', SDK_VERSION);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const send = async (names, { to = url, onForm = () => undefined, signal = new AbortController().signal } = {}) => {
    const form = await FileForm.of(
      folder,
      names.map((path) => ({ path })),
    );
    await onForm();
    const { connection } = new MediaService({ url: to, credentials: { apiKey: 'key', apiSecret: 'secret' } });
    const post = (at, headers) => postForm(at, headers, form, new Uint8Array(100_000), signal);
    return connection.exchange('POST', '/files', post, signal);
  };

  it('sends the files unchanged, with the credentials', async () => {
    let received;
    answer = async (request, response) => {
      const body = await new Response(request, { headers: request.headers }).formData();
      received = { files: body.getAll('files'), authorization: request.headers.authorization };
      response.end('{"done":true}');
    };
    assert.deepEqual(await (await send(['large.bin', 'empty.bin'])).json(), { done: true });
    assert.match(received.authorization, /^Bearer /);
    assert.deepEqual(
      received.files.map(({ name, size }) => [name, size]),
      [
        ['large.bin', LARGE],
        ['empty.bin', 0],
      ],
    );
    assert.deepEqual(Buffer.from(await received.files[0].arrayBuffer()), Buffer.alloc(LARGE, 'a picture '));
  });

  it('retries after a rate limit', async () => {
    let asked = 0;
    answer = (request, response) => {
      asked += 1;
      request.resume();
      if (asked === 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else request.on('end', () => response.end());
    };
    assert.equal((await send(['large.bin'])).status, 200);
    assert.equal(asked, 2);
  });

  it('rejects with the response if it arrives before the end of the form', async () => {
    answer = (request, response) => {
      const body = JSON.stringify({ detail: 'No such transaction' });
      request.once('data', () => response.writeHead(404, { 'content-type': 'application/json' }).end(body));
    };
    await assert.rejects(send(['large.bin']), { name: 'NotFoundError', detail: 'No such transaction' });
  });

  it('rejects with the name of a file that changed or is missing', async () => {
    answer = (request, response) => request.resume().on('end', () => response.end());
    const shorten = () => truncate(join(folder, 'short.bin'), 10);
    await writeFile(join(folder, 'short.bin'), Buffer.alloc(LARGE));
    await assert.rejects(send(['short.bin'], { onForm: shorten }), /^MediaServiceError: short\.bin changed/);
    await assert.rejects(send(['gone.bin']), /^MediaServiceError: gone\.bin could not be read: ENOENT/);
  });

  it('rejects if the connection is refused, lost or aborted', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(send(['large.bin'], { to: nowhere }), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.match(error.message, /could not be reached: connect ECONNREFUSED/);
      return true;
    });
    answer = (request) => request.once('data', () => request.socket.destroy());
    await assert.rejects(send(['large.bin']), ConnectionError);
    const stop = new AbortController();
    answer = () => stop.abort();
    await assert.rejects(send(['large.bin'], { signal: stop.signal }), { name: 'AbortError' });
  });
});
