import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaService, UploadRunningError } from 'dataset-media-service-sdk';
import { uploadFolder } from 'dataset-media-service-sdk/node';
import { writePictures } from './pictures.mjs';
import { startService, until } from './program.mjs';

/** Forwards requests. Holds uploads back after some responses, and counts how often each file was sent. */
async function startProxy(target) {
  const sent = new Map();
  const proxy = { sent, answered: 0, holdAfter: Infinity, refuse: 0 };
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const isUpload = incoming.method === 'POST' && incoming.url.includes('/data_files/');
    if (isUpload && proxy.refuse > 0) {
      proxy.refuse -= 1;
      incoming.socket.destroy();
      return;
    }
    if (isUpload) {
      for (const [, name] of body.toString('latin1').matchAll(/filename="([^"]+)"/g))
        sent.set(name, (sent.get(name) ?? 0) + 1);
      if (proxy.answered >= proxy.holdAfter) return;
      proxy.answered += 1;
    }
    const passed = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  proxy.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return proxy;
}

describe('uploadFolder', () => {
  let service;
  let proxy;

  before(async () => {
    service = await startService();
    proxy = await startProxy(service.url);
  });

  after(async () => {
    proxy.close();
    await service.stop();
  });

  it('does not resend files that were received before it was killed', async () => {
    const folder = join(service.folder, 'many');
    const journal = join(service.folder, 'interrupted.jsonl');
    const paths = await writePictures(folder, 700, 0, 32);
    const received = async () => {
      const lines = (await readFile(journal, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
      return lines.flatMap((line) => JSON.parse(line).sent ?? []).map((mark) => mark.split(' ').slice(2).join(' '));
    };
    proxy.holdAfter = 3;
    const child = spawn(process.execPath, ['upload-program.mjs', proxy.url, folder, journal], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await until(async () => (await received()).length >= 300, 'The first batches');
    const upload = () =>
      uploadFolder(new MediaService({ url: proxy.url }), folder, { dataset: 'interrupted', journal });
    await assert.rejects(upload(), (error) => {
      assert.ok(error instanceof UploadRunningError);
      assert.match(error.message, new RegExp(`is running, by process ${child.pid}\\.`));
      return true;
    });
    child.kill('SIGKILL');
    await ended;
    const before = await received();
    assert.ok(before.length < paths.length);
    // Simulates a program killed while writing.
    await writeFile(journal, `${await readFile(journal, 'utf8')}\n{"sent":["96 17`);
    proxy.holdAfter = Infinity;
    proxy.refuse = 3;

    const both = await Promise.allSettled([upload(), upload()]);
    const [refused] = both.filter(({ status }) => status === 'rejected');
    assert.ok(refused.reason instanceof UploadRunningError);
    const { value: result } = both.find(({ status }) => status === 'fulfilled');
    assert.deepEqual([result.files, result.skipped, result.refused], [700, before.length, 0]);
    assert.deepEqual(
      before.filter((path) => proxy.sent.get(path) !== 1),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => !proxy.sent.has(path)),
      [],
    );
    const { n_images: images } = await result.dataset.waitUntilReady({ timeoutSeconds: 300 });
    assert.equal(images, 700);
  });
});
