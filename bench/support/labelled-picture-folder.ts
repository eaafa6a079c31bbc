import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSharp, PER_FAMILY, photograph } from './photographs';

const SEED = 47;
/** Drawn at a quarter of their size, which takes a sixteenth of the time. */
const [WIDTH, HEIGHT] = [384, 256];
const SCALE = 4;
export const PICTURE = { width: WIDTH, height: HEIGHT };
/** As many as are in sight in the panels of filters that are compared. */
export const LABELS = ['anchor', 'bridge', 'candle', 'dragon', 'engine', 'flower', 'guitar', 'harbor'] as const;

export const fileName = (index: number): string => `${String(index).padStart(6, '0')}.jpg`;

export const labelOf = (name: string): string => LABELS[parseInt(name, 10) % LABELS.length]!;

/** Small JPEGs of 384 x 256, hardly any of them alike, with a file of annotations. Made once and kept in the temporary folder. */
export async function labelledPictureFolder(count: number): Promise<string> {
  const folder = join(tmpdir(), `dataset-media-service-bench-labelled-pictures-${count}`);
  if ((await readdir(folder).catch(() => [])).length === count + 1) return folder;
  const unfinished = `${folder}.unfinished`;
  for (const each of [folder, unfinished]) await rm(each, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  let next = 0;
  const makeSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const drawn = asSharp(photograph(SEED, index * PER_FAMILY, WIDTH / SCALE, HEIGHT / SCALE));
      await drawn
        .resize(WIDTH, HEIGHT)
        .jpeg({ quality: 86 })
        .toFile(join(unfinished, fileName(index)));
    }
  };
  await Promise.all(cpus().map(makeSome));
  const names = Array.from({ length: count }, (_, index) => fileName(index));
  const annotations = ['filename,label', ...names.map((name) => `${name},${labelOf(name)}`)].join('\n');
  await writeFile(join(unfinished, 'image_annotations.csv'), `${annotations}\n`);
  await rename(unfinished, folder);
  return folder;
}
