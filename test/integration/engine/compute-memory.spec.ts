import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { WorkerLimits } from '../../../src/common/engine/compute/compute-worker';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import { ComputeBench } from '../../support/compute';
import { pictureBytes } from '../../support/pictures';
import { tiffBytes } from '../../support/tiff-bytes';
import { waitUntil } from '../../support/wait-until';

const MEGABYTE = 1024 * 1024;
const SIDE = 10_000;

/** A small TIFF whose strip inflates to a hundred times the declared size. */
const swellingTiff = (): Buffer =>
  tiffBytes({ 256: [1000], 257: [1000], 258: [32], 259: [8], 262: [1], 277: [1], 278: [1000], 339: [3] }, [
    deflateSync(Buffer.alloc(400 * MEGABYTE)),
  ]);

/** A picture of 64 x 64 with a chunk that inflates to 400 MB: more pixels than the header says, a text, or a colour profile. */
function swellingPng(type: 'IDAT' | 'zTXt' | 'iCCP'): Buffer {
  const chunk = (name: string, ...data: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), ...data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length - 4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 0, 0, 0, 0]);
  const large = deflateSync(Buffer.alloc(400 * MEGABYTE));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(type === 'IDAT' ? [] : [chunk(type, Buffer.from('a\0\0', 'latin1'), large)]),
    chunk('IDAT', type === 'IDAT' ? large : deflateSync(Buffer.alloc(64 * 65))),
    chunk('IEND'),
  ]);
}

const residentBytes = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

async function withBench(
  concurrency: number,
  limits: Partial<WorkerLimits>,
  work: (bench: ComputeBench) => Promise<void>,
): Promise<void> {
  const bench = await ComputeBench.open(concurrency, limits);
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

/** Returns the peak memory of all children while `work` runs. */
async function highest(bench: ComputeBench, work: Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  await waitUntil(() => {
    most = Math.max(
      most,
      bench.pool.childPids.reduce((sum, pid) => sum + residentBytes(pid), 0),
    );
    return isOver;
  });
  await done;
  return most;
}

const ON_LINUX = process.platform === 'linux' ? it : it.skip;

describe('the memory of compute children', () => {
  /** A small file for which libjpeg needs 600 MB of coefficients. */
  let progressive: Buffer;

  beforeAll(async () => {
    progressive = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#406080' } })
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer();
  });

  it('is bounded, and no other file is lost', () =>
    withBench(1, { memoryBytes: 400 * MEGABYTE, largeMemoryBytes: 400 * MEGABYTE }, async (bench) => {
      await writeFile(bench.path('large.jpg'), progressive);
      const names = ['large.jpg', 'a.jpg', 'b.jpg', 'c.jpg'];
      for (const [seed, name] of names.slice(1).entries()) await writeFile(bench.path(name), await pictureBytes(seed));
      const [large, ...others] = await Promise.all(names.map((name) => bench.pool.analyze(bench.request(name))));
      expect(large).toEqual({
        kind: 'QUARANTINED',
        reason: 'too_large',
        detail: 'The analysis of the file took more than 400 MiB of memory, twice.',
      });
      expect(others.map(({ kind }) => kind)).toEqual(['IMAGE', 'IMAGE', 'IMAGE']);
    }));

  it('does not grow with the inflated size of a TIFF strip', () =>
    withBench(1, { memoryBytes: 400 * MEGABYTE }, async (bench) => {
      expect(await bench.analyze('swelling.tif', swellingTiff())).toMatchObject({
        reason: 'unreadable',
        detail: 'A strip or tile of the TIFF holds more bytes than its header says.',
      });
    }));

  it('does not grow with what the chunks of a PNG inflate to', () =>
    withBench(1, { memoryBytes: 400 * MEGABYTE }, async (bench) => {
      for (const type of ['IDAT', 'zTXt', 'iCCP'] as const)
        expect(await bench.analyze(`${type}.png`, swellingPng(type))).toMatchObject({ kind: 'IMAGE', width: 64 });
    }));

  ON_LINUX('is that of one large image at a time', () =>
    withBench(2, {}, async (bench) => {
      const names = ['a.jpg', 'b.jpg'];
      for (const name of names) await writeFile(bench.path(name), progressive);
      const analyses = Promise.all(names.map((name) => bench.pool.analyze(bench.request(name))));
      const most = await highest(bench, analyses);
      expect((await analyses).map(({ kind }) => kind)).toEqual(names.map(() => 'IMAGE'));
      // The limit of a child: its model and one image; two images would exceed it.
      expect(most).toBeLessThan(1150 * MEGABYTE);
    }),
  );

  it('is used for one large file at a time, even if some are cancelled', () =>
    withBench(1, {}, async (bench) => {
      const wanted = new AbortController();
      await writeFile(bench.path('a.jpg'), progressive);
      const unwanted = bench.pool.analyze(bench.request('a.jpg'), { signal: wanted.signal });
      const settled = Promise.allSettled([unwanted]);
      const kept = bench.pool.analyze(bench.request('a.jpg'));
      wanted.abort(new Error('no longer wanted'));
      await settled;
      expect(await kept).toMatchObject({ kind: 'IMAGE', width: SIDE });
    }));

  it('is bounded by a separate limit of pixels for videos', () =>
    withBench(1, {}, async (bench) => {
      if (!(await hasVideoSupport())) return;
      const path = bench.path('wide.mov');
      const picture = ['-f', 'lavfi', '-i', 'color=size=12000x8000', '-frames:v', '1', '-c:v', 'mjpeg'];
      await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...picture, path]);
      expect(await bench.analyze('wide.mov', await readFile(path))).toEqual({
        kind: 'QUARANTINED',
        reason: 'too_large',
        detail: 'The video is 12000 x 8000, more than 36 megapixels.',
      });
    }));

  ON_LINUX('of ffmpeg is bounded as well', () =>
    withBench(1, { toolMemoryBytes: MEGABYTE }, async (bench) => {
      if (!(await hasVideoSupport())) return;
      const path = bench.path('long.mov');
      const pictures = ['-f', 'lavfi', '-i', 'color=size=1920x1080', '-frames:v', '300', '-c:v', 'mjpeg'];
      await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...pictures, path]);
      expect(await bench.analyze('long.mov', await readFile(path))).toEqual({
        kind: 'QUARANTINED',
        reason: 'too_large',
        detail: 'Reading the video takes more than 1 MiB of memory.',
      });
    }),
  );
});
