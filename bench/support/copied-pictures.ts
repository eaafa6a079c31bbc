import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { ImageModel } from '../../src/common/engine/models/model-runtime';
import { describedAsIndexed } from './described-sample';
import { asSharp, photograph, PER_FAMILY } from './photographs';
import { Random } from '../../test/support/random';

interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

type PictureSource = () => Promise<Picture>;

export interface DescribedCopies {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  /** Which picture each item is a copy of. */
  readonly picture: Int32Array;
}

const MAX_SIDE = 1024;
const DRAWN_SEED = 9001;
const COPY_SEED = 77;

const COPIES: Readonly<Record<string, (picture: Picture, random: Random) => Sharp | Promise<Sharp>>> = {
  mirror: ({ bytes }) => sharp(bytes).flop(),
  'rotation 5°': turned,
  'crop 10 %': ({ bytes, width, height }, random) => {
    const [cropWidth, cropHeight] = [Math.round(width * 0.9), Math.round(height * 0.9)];
    const [left, top] = [random.integer(width - cropWidth + 1), random.integer(height - cropHeight + 1)];
    return sharp(bytes).extract({ left, top, width: cropWidth, height: cropHeight });
  },
  'scale 0.5': ({ bytes, width }) => sharp(bytes).resize(Math.max(1, Math.round(width / 2))),
  'JPEG q30': async ({ bytes }) => sharp(await sharp(bytes).jpeg({ quality: 30 }).toBuffer()),
  'brightness +20 %, colour': ({ bytes }) => sharp(bytes).modulate({ brightness: 1.2, saturation: 1.2 }),
};

export const COPY_KINDS = Object.keys(COPIES);

/** The picture and the copies of it in the order of COPY_KINDS, each as the bytes of a JPEG. */
async function withCopies(picture: Picture, random: Random): Promise<Buffer[]> {
  const changed = await Promise.all(Object.values(COPIES).map(async (copy) => copy(picture, random)));
  return Promise.all([sharp(picture.bytes), ...changed].map((image) => image.jpeg({ quality: 90 }).toBuffer()));
}

/** Keeps the size, with black corners, as most programs turn a picture. */
async function turned({ bytes, width, height }: Picture): Promise<Sharp> {
  const { data, info } = await sharp(bytes)
    .rotate(5, { background: '#000' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.floor((info.width - width) / 2), Math.floor((info.height - height) / 2)];
  return sharp(data).extract({ left, top, width, height });
}

async function asPicture(image: Sharp): Promise<Picture> {
  const { data, info } = await image
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** Every file of a folder, in the order of their names, at most 1,024 pixels long. */
export async function picturesOf(folder: string): Promise<PictureSource[]> {
  const names = (await readdir(folder)).sort();
  const size = { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true } as const;
  return names.map((name) => () => asPicture(sharp(join(folder, name), { limitInputPixels: false }).resize(size)));
}

/** One drawing of each of so many families. */
export const drawnPictures = (count: number): PictureSource[] =>
  Array.from({ length: count }, (_, at) => () => asPicture(asSharp(photograph(DRAWN_SEED, at * PER_FAMILY))));

/** Each picture and its copies, one group of vectors after the other. */
export async function describedCopies(model: ImageModel, sources: readonly PictureSource[]): Promise<DescribedCopies> {
  const embedding = await model.open();
  const { dimension } = embedding;
  const group = COPY_KINDS.length + 1;
  const count = sources.length * group;
  const vectors = new Float32Array(new SharedArrayBuffer(count * dimension * 4));
  try {
    for (const [at, source] of sources.entries()) {
      const files = await withCopies(await source(), new Random(COPY_SEED, at));
      for (const [nth, bytes] of files.entries()) {
        vectors.set(await describedAsIndexed(bytes, embedding), (at * group + nth) * dimension);
      }
    }
  } finally {
    await embedding.close();
  }
  const picture = Int32Array.from({ length: count }, (_, item) => Math.floor(item / group));
  return { count, dimension, vectors, picture };
}
