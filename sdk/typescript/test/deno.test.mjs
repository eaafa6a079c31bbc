import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { writePictures } from './pictures.mjs';
import { startService } from './program.mjs';

/** Installed by `check`. */
const DENO = process.env.DENO;

describe('the SDK in Deno', { skip: DENO === undefined && 'Deno is not installed' }, () => {
  let service;

  before(async () => {
    service = await startService();
    await writePictures(join(service.folder, 'pictures'), 5);
  });
  after(() => service.stop());

  it('creates and searches a dataset, distinguishes errors, and signs tokens', async () => {
    const allowed = ['--no-prompt', '--node-modules-dir=manual', `--allow-net=${new URL(service.url).host}`];
    const args = [
      'run',
      ...allowed,
      join(import.meta.dirname, 'deno-client.mjs'),
      service.url,
      join(service.folder, 'pictures'),
    ];
    const { stdout } = await promisify(execFile)(DENO, args, { timeout: 120_000 });
    assert.deepEqual(JSON.parse(stdout), {
      images: 5,
      clusters: 5,
      nearest: 1,
      isTyped: true,
      tokenParts: 3,
      hasEnded: true,
    });
  });
});
