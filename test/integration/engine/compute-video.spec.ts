import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import { ComputeBench } from '../../support/compute';

const clip = (): Promise<Buffer> => readFile(join(__dirname, '..', '..', 'fixtures', 'clip.mp4'));

describe('videos', () => {
  let bench: ComputeBench;
  let supported: boolean;

  beforeAll(async () => {
    supported = await hasVideoSupport();
    bench = await ComputeBench.open();
  });
  afterAll(() => bench.close());

  it('become their key frames where ffmpeg is installed, and are quarantined where it is not', async () => {
    const file = await clip();
    const result = await bench.analyze('clip.mp4', file);
    if (!supported) {
      expect(result).toMatchObject({ kind: 'QUARANTINED', reason: 'no_video_support' });
      return;
    }
    if (result.kind !== 'VIDEO') throw new Error(JSON.stringify(result));
    const sha256 = createHash('sha256').update(file).digest('hex');
    expect(result).toMatchObject({ mimeType: 'video/mp4', width: 128, height: 96, durationSeconds: 5, sha256 });
    expect(result.frames.map(({ timestamp }) => timestamp)).toEqual([0, 1.5, 3, 4.5]);
    expect(result.frames.map(({ imageKey }) => imageKey)).toEqual(
      [1, 2, 3, 4].map((number) => `frames/${sha256}/output_00000${number}.jpg`),
    );
    expect(new Set(result.frames.map((frame) => frame.sha256)).size).toBe(4);
    for (const key of [result.thumbnailKey, ...result.frames.map(({ imageKey }) => imageKey)]) {
      expect(await sharp(await bench.stored(key)).metadata()).toMatchObject({ width: 128, height: 96 });
    }
  });

  it('have their frames scaled down to the height that is set, and never up', async () => {
    if (!supported) return;
    for (const [height, kept] of [
      [72, { width: 96, height: 72 }],
      [480, { width: 128, height: 96 }],
    ] as const) {
      const scaling = await ComputeBench.open();
      try {
        const result = await scaling.analyze('clip.mp4', await clip(), { frameHeight: height });
        if (result.kind !== 'VIDEO') throw new Error(JSON.stringify(result));
        expect(result).toMatchObject({ width: 128, height: 96 });
        for (const frame of result.frames) {
          expect(frame).toMatchObject(kept);
          expect(await sharp(await scaling.stored(frame.imageKey)).metadata()).toMatchObject(kept);
        }
      } finally {
        await scaling.close();
      }
    }
  });

  it('that are damaged or hold no picture are quarantined', async () => {
    const reason = supported ? 'unreadable' : 'no_video_support';
    const head = (await clip()).subarray(0, 64);
    const noise = Buffer.concat([head, randomBytes(2000)]);
    expect(await bench.analyze('noise.mp4', noise)).toMatchObject({ kind: 'QUARANTINED', reason });
    expect(await bench.analyze('cut.mp4', head)).toMatchObject({ kind: 'QUARANTINED', reason });
  });

  it('are quarantined with that reason when ffmpeg cannot be found', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    const without = await ComputeBench.open();
    try {
      expect(await without.analyze('clip.mp4', await clip())).toEqual({
        kind: 'QUARANTINED',
        reason: 'no_video_support',
        detail: 'Videos require ffmpeg and ffprobe, which are not installed.',
      });
    } finally {
      process.env['PATH'] = path;
      await without.close();
    }
  });
});
