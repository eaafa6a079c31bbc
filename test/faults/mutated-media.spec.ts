import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ComputePool } from '../../src/common/engine/compute/compute-pool';
import { VideoSupport } from '../../src/common/engine/compute/video-tools';
import { ApiClient } from '../support/api-client';
import { pictureBytes } from '../support/pictures';
import { Random } from '../support/random';
import { runningApp } from '../support/test-app';

const MUTATIONS = Number(process.env['MUTATIONS'] ?? 100);
const SEED = Number(process.env['SEED'] ?? 1);
const PER_FILE_MS = 1_000;
const FIXTURES = join(__dirname, '..', 'fixtures');
const KEPT = ['clip.mp4', 'shapes.heic', 'shapes.jp2', 'shapes-rgba.jp2', 'display-p3-coded.heic'];
const WRITTEN = ['jpg', 'png', 'webp', 'gif', 'tiff'];

interface Quarantined {
  readonly file: string;
  readonly reason: string;
  readonly detail: string;
}

async function wholeFiles(): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const picture = await pictureBytes(5);
  const written = WRITTEN.map(
    async (extension) =>
      [
        `whole.${extension}`,
        await sharp(picture)
          .toFormat(extension as keyof sharp.FormatEnum)
          .toBuffer(),
      ] as const,
  );
  const kept = KEPT.map(async (name) => [name, await readFile(join(FIXTURES, name))] as const);
  return Promise.all([...written, ...kept]);
}

/** Applies one to four changes, half of them near the beginning, in the headers. */
function mutated(whole: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(whole);
  for (let left = 1 + random.integer(4); left > 0 && bytes.length > 0; left -= 1) {
    const at = random.integer(random.next() < 0.5 ? Math.min(bytes.length, 256) : bytes.length);
    const length = 1 + random.integer(64);
    const part = bytes.subarray(at, at + length);
    switch (random.integer(6)) {
      case 0:
        bytes[at] = bytes[at]! ^ (1 << random.integer(8));
        break;
      case 1:
        part.fill(random.pick([0, 0x7f, 0x80, 0xff]));
        break;
      case 2:
        for (let i = 0; i < part.length; i += 1) part[i] = random.integer(256);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), part, part, bytes.subarray(at + length)]);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    }
  }
  return bytes;
}

describe(`${MUTATIONS} mutated files`, () => {
  const running = runningApp();

  it(
    'are each indexed or quarantined with a reason, and the service continues',
    async () => {
      const api = new ApiClient(running.url);
      const folder = join(running.folder, 'mutated');
      await mkdir(folder);
      const whole = await wholeFiles();
      await Promise.all(whole.map(([name, bytes]) => writeFile(join(folder, name), bytes)));
      for (let at = 0; at < MUTATIONS; at += 1) {
        const [name, bytes] = whole[at % whole.length]!;
        await writeFile(join(folder, `${at}-${name}`), mutated(bytes, new Random(SEED, at)));
      }
      const id = await api.createFromFolder('Mutated', folder);
      const dataset = await api.untilStatus(id, ['READY']);
      const files = new Map<string, Quarantined>();
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const found = await api.must<{ files: Quarantined[]; total: number }>(
          200,
          'GET',
          `/api/v1/dataset/${id}/quarantine?page=${page}&page_size=100`,
        );
        pages = Math.ceil(found.total / 100);
        for (const file of found.files) files.set(file.file, file);
      }
      for (const { reason, detail } of files.values()) expect(reason !== '' && detail !== '').toBe(true);
      const hasVideos = (await running.app.get(VideoSupport).warnings()).length === 0;
      expect(whole.map(([name]) => name).filter((name) => files.has(name))).toEqual(hasVideos ? [] : ['clip.mp4']);
      expect(Number(dataset['n_images']) + Number(dataset['n_videos']) + files.size).toBe(MUTATIONS + whole.length);
      // No file leaves work behind.
      expect(running.app.get(ComputePool).waitingRequests).toBe(0);
      expect((await fetch(`${running.url}/health/ready`)).status).toBe(200);
    },
    60_000 + MUTATIONS * PER_FILE_MS,
  );
});
