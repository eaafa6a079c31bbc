import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { Random } from '../../test/support/random';
import { asSharp, distort, DISTORTIONS, PER_FAMILY, photograph, type Pixels } from './photographs';

/** Each picture followed by its changed copies in the order of CHANGES, as JPEG files named in this order. */
export interface ChangedPictures {
  readonly name: string;
  readonly folder: string;
  readonly pictures: number;
  /** The family of each picture; undefined if families are not known. */
  readonly family: Int32Array | undefined;
  readonly read: (item: number) => Promise<Buffer>;
}

interface PictureSet {
  readonly name: string;
  readonly pictures: number;
  readonly familyOf: ((at: number) => number) | undefined;
  readonly picture: (at: number) => Promise<Pixels> | Pixels;
}

export const CHANGES = Object.keys(DISTORTIONS);
/** The number of files of a picture: itself and its copies. */
export const GROUP = CHANGES.length + 1;
/** Differs from the seeds of the training images of the built-in model (101) and of the other benches. */
export const PHOTOGRAPH_SEED = 52001;
export const DRAWING_SEED = 52002;
/** With fewer, some drawings would be alone in their family. */
export const FEWEST = 2 * SAMPLE_FAMILIES.length;
const CHANGE_SEED = 52003;
const MAX_SIDE = 512;
const AT_ONCE = 4;

export const drawnPhotographs = (pictures: number): PictureSet => ({
  name: 'drawn photographs',
  pictures,
  familyOf: (at) => Math.floor(at / PER_FAMILY),
  picture: (at) => photograph(PHOTOGRAPH_SEED, at),
});

/** The same number of drawings of each family of the sample. */
export const drawings = (pictures: number): PictureSet => ({
  name: 'drawings',
  pictures,
  familyOf: (at) => at % SAMPLE_FAMILIES.length,
  picture: async (at) => {
    const seed = `encoder-quality ${DRAWING_SEED} ${at}`;
    const scene = SAMPLE_FAMILIES[at % SAMPLE_FAMILIES.length]!.draw(new SeededRandom(seed));
    return pixelsOf(sharp(await renderPicture(scene, 'none', '.jpg', seed)));
  },
});

/** All files of a folder in alphabetical order. */
export async function realPictures(folder: string): Promise<PictureSet> {
  const names = (await readdir(folder)).sort();
  return {
    name: 'real pictures',
    pictures: names.length,
    familyOf: undefined,
    picture: (at) => pixelsOf(sharp(join(folder, names[at]!), { limitInputPixels: false }).autoOrient()),
  };
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`The picture has ${info.channels} channels instead of 3.`);
  return { data, width: info.width, height: info.height };
}

/** Writes the files to a folder, which is removed after `work`. */
export async function withChanges<T>(set: PictureSet, work: (changed: ChangedPictures) => Promise<T>): Promise<T> {
  const parent = await mkdtemp(join(tmpdir(), 'encoder-quality-'));
  try {
    const folder = join(parent, 'pictures');
    await mkdir(folder);
    const path = (item: number): string => join(folder, `${String(item).padStart(8, '0')}.jpg`);
    let next = 0;
    const some = async (): Promise<void> => {
      for (let at = next++; at < set.pictures; at = next++) {
        for (const [nth, bytes] of (await versions(await set.picture(at), at)).entries())
          await writeFile(path(at * GROUP + nth), bytes);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, some));
    const { name, pictures, familyOf } = set;
    const family = familyOf && Int32Array.from({ length: pictures }, (_, at) => familyOf(at));
    return await work({ name, folder, pictures, family, read: (item) => readFile(path(item)) });
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function versions(picture: Pixels, at: number): Promise<Buffer[]> {
  const original = asSharp(picture).jpeg({ quality: 90 }).toBuffer();
  const copies = CHANGES.map((name, nth) => distort(picture, name, new Random(CHANGE_SEED, at, nth)));
  return Promise.all([original, ...copies]);
}
