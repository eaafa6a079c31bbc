import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSharp, photograph } from './photographs';
import { Random } from '../../test/support/random';

const WIDTH = 1600;
const HEIGHT = 1067;
const SEED = 41;

/** Noisy JPEGs of 1600 x 1067 and some 300 KB, made once and kept in the temporary folder. */
export async function photographFolder(count: number): Promise<string> {
  const folder = join(tmpdir(), `dataset-media-service-bench-photographs-${count}`);
  const made = await readdir(folder).catch(() => []);
  if (made.length === count) return folder;
  const unfinished = `${folder}.unfinished`;
  await rm(folder, { recursive: true, force: true });
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  let next = 0;
  const makeSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      await writeFile(join(unfinished, `${String(index).padStart(6, '0')}.jpg`), await noisyPhotograph(index));
    }
  };
  await Promise.all(cpus().map(makeSome));
  await rename(unfinished, folder);
  return folder;
}

const GRAIN = Int8Array.from(
  { length: 1 << 20 },
  (
    (random) => () =>
      Math.round(7.5 * random.normal())
  )(new Random(SEED)),
);

/** Full-size grain, as sensors give it: it makes the files as large as real ones. */
async function noisyPhotograph(index: number): Promise<Buffer> {
  const enlarged = asSharp(photograph(SEED, index, WIDTH / 4, 267)).resize(WIDTH, HEIGHT, { fit: 'fill' });
  const data = new Uint8ClampedArray(await enlarged.raw().toBuffer());
  const random = new Random(SEED, index, 3);
  const line = WIDTH * 3;
  for (let at = 0; at < data.length; at += line) {
    const grain = random.integer(GRAIN.length - line);
    for (let i = 0; i < line; i++) data[at + i]! += GRAIN[grain + i]!;
  }
  return asSharp({ data: new Uint8Array(data.buffer), width: WIDTH, height: HEIGHT })
    .jpeg({ quality: 86 })
    .toBuffer();
}
