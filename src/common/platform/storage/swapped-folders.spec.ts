import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { AWAITED_CALLS, BLOCKING_CALLS } from './folder/file-calls';
import { LocalSources } from './sources/local-sources';
import { SourceNotAllowedError, SourceNotFoundError } from './sources/source-location';

/** Replaces a folder by a link and back, as fast as possible. */
const SWAPPER = `
  const { workerData: { folder, aside, link } } = require('node:worker_threads');
  const { renameSync, symlinkSync } = require('node:fs');
  symlinkSync(link, aside + '-link');
  for (;;) {
    renameSync(folder, aside);
    renameSync(aside + '-link', folder);
    renameSync(folder, aside + '-link');
    renameSync(aside, folder);
  }
`;

const READS = 1500;

describe('a folder that is replaced by a link while it is read', () => {
  let folder: string;
  let swapper: Worker;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'swapped-')));
    for (const place of ['root/media', 'outside']) await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, 'root', 'media', 'a.jpg'), 'inside');
    await writeFile(join(folder, 'outside', 'a.jpg'), 'outside');
    await writeFile(join(folder, 'outside', 'secret.jpg'), 'secret');
    const [media, aside, link] = [join(folder, 'root', 'media'), join(folder, 'aside'), join(folder, 'outside')];
    swapper = new Worker(SWAPPER, { eval: true, workerData: { folder: media, aside, link } });
  });

  afterAll(async () => {
    await swapper.terminate();
    await rm(folder, { recursive: true });
  });

  async function answers(read: () => Promise<string>): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    // On a busy machine the other thread may not run for many reads.
    for (let i = 0; i < READS || (found.size < 2 && i < 100 * READS); i++) {
      const answer = await read().catch((error: unknown) => {
        if (error instanceof SourceNotAllowedError || error instanceof SourceNotFoundError) return 'refused';
        throw error;
      });
      found.add(answer);
    }
    return found;
  }

  it.each([
    ['awaited', AWAITED_CALLS],
    ['blocking', BLOCKING_CALLS],
  ] as const)('is never read outside MEDIA_ROOTS by %s calls', async (_name, calls) => {
    const sources = new LocalSources([join(folder, 'root')], calls);
    const path = join(folder, 'root', 'media', 'a.jpg');
    const whole = await answers(async () => (await sources.read(path)).toString());
    expect([...whole].sort()).toEqual(['inside', 'refused']);
    const streamed = await answers(async () =>
      (await buffer((await sources.open(path)).createReadStream())).toString(),
    );
    expect([...streamed].sort()).toEqual(['inside', 'refused']);
  });

  it('is never listed outside of MEDIA_ROOTS', async () => {
    const sources = new LocalSources([join(folder, 'root')]);
    const names = await answers(async () => {
      const found: string[] = [];
      for await (const file of sources.walk(join(folder, 'root'), () => undefined)) found.push(file.relativePath);
      return found.join() || 'refused';
    });
    expect([...names].sort()).toEqual(['media/a.jpg', 'refused']);
  });
});
