import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSharp, photograph } from './photographs';

const SEED = 43;
const [WIDTH, HEIGHT] = [384, 256];

/** Small JPEGs of 384 x 256, made once and kept in the temporary folder. */
export async function pictureFolder(count: number): Promise<string> {
  const folder = join(tmpdir(), `dataset-media-service-bench-pictures-${count}`);
  if ((await readdir(folder).catch(() => [])).length === count) return folder;
  const unfinished = `${folder}.unfinished`;
  for (const each of [folder, unfinished]) await rm(each, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  let next = 0;
  const makeSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const picture = asSharp(photograph(SEED, index, WIDTH, HEIGHT)).jpeg({ quality: 86 });
      await writeFile(join(unfinished, `${String(index).padStart(6, '0')}.jpg`), await picture.toBuffer());
    }
  };
  await Promise.all(cpus().map(makeSome));
  await rename(unfinished, folder);
  return folder;
}
