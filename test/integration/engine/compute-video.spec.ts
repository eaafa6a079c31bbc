import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { CONTAINERS } from '../../../src/common/engine/compute/media-type';
import { MediaRejected } from '../../../src/common/engine/compute/media-analysis';
import { hasVideoSupport, probeVideo } from '../../../src/common/engine/compute/video-tools';
import { ComputeBench } from '../../support/compute';

const VIDEO = join(__dirname, '..', '..', 'fixtures', 'clip.mp4');

/** Files that refer to another video, which a complete ffmpeg would read. */
const PLAYLISTS: Readonly<Record<string, string>> = {
  DASH: `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT5S" minBufferTime="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" codecs="avc1.640028" width="128" height="96" bandwidth="1000"><BaseURL>${pathToFileURL(VIDEO).href}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  HLS: `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${pathToFileURL(VIDEO).href}\n#EXT-X-ENDLIST\n`,
  concat: `ffconcat version 1.0\nfile '${VIDEO}'\n`,
  SDP: 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
  tee: `[f=mp4]${VIDEO}|[f=mp4]${VIDEO}`,
  subtitles: `1\n00:00:00,000 --> 00:00:05,000\n${VIDEO}\n`,
};

const clip = (): Promise<Buffer> => readFile(join(__dirname, '..', '..', 'fixtures', 'clip.mp4'));

describe('videos', () => {
  let bench: ComputeBench;
  let supported: boolean;

  beforeAll(async () => {
    supported = await hasVideoSupport();
    bench = await ComputeBench.open();
  });
  afterAll(() => bench.close());

  it('become their key frames if ffmpeg is installed, and are quarantined otherwise', async () => {
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

  it.each(['mov', 'mkv', 'avi', 'asf', 'flv'])('are read from the container %s', async (ending) => {
    if (!supported) return;
    const path = bench.path(`copied.${ending}`);
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-i', VIDEO, '-c', 'copy', path]);
    expect(await bench.analyze(`copied.${ending}`, await readFile(path))).toMatchObject({ kind: 'VIDEO', width: 128 });
  });

  it('have frames scaled down, but not up, to the configured height', async () => {
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

  it('are quarantined if they are damaged or have no pictures', async () => {
    const reason = supported ? 'unreadable' : 'no_video_support';
    const head = (await clip()).subarray(0, 64);
    const noise = Buffer.concat([head, randomBytes(2000)]);
    expect(await bench.analyze('noise.mp4', noise)).toMatchObject({ kind: 'QUARANTINED', reason });
    expect(await bench.analyze('cut.mp4', head)).toMatchObject({ kind: 'QUARANTINED', reason });
  });

  it.each(Object.entries(PLAYLISTS))('are never read from another file that %s names', async (_, text) => {
    for (const start of ['', '<!--free-->', '<!--moov-->', '<!--wide-->', '\0\0\0\x08free', 'FLV\x01', 'DHAV'])
      expect(await bench.analyze('named.mov', Buffer.from(start + text, 'latin1'))).toMatchObject({
        kind: 'QUARANTINED',
      });
    if (!supported) return;
    await writeFile(bench.path('named.mov'), text);
    for (const container of CONTAINERS)
      await expect(
        probeVideo({ path: bench.path('named.mov'), container }, new AbortController().signal),
      ).rejects.toThrow(MediaRejected);
  });

  it('are read as one file if their name is a pattern of several', async () => {
    if (!supported) return;
    await writeFile(bench.path('frame1.mp4'), 'another file');
    expect(await bench.analyze('frame%d.mp4', await clip())).toMatchObject({ kind: 'VIDEO', width: 128 });
  });

  it('are quarantined with the reason if ffmpeg cannot be found', async () => {
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
