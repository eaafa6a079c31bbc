import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { ImageModel } from '../../src/common/engine/models/model-runtime';
import { COPY_KINDS, withCopies, type Picture } from '../../src/model-tools/picture-copies';
import { described } from '../../src/model-tools/calibration-pictures';
import { asSharp, photograph, PER_FAMILY } from './photographs';
import { Random } from '../../test/support/random';

type PictureSource = () => Promise<Picture>;

export interface DescribedCopies {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  /** The picture that each item is a copy of. */
  readonly picture: Int32Array;
}

const MAX_SIDE = 1024;
const DRAWN_SEED = 9001;
const COPY_SEED = 77;

async function asPicture(image: Sharp): Promise<Picture> {
  const { data, info } = await image
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** All files of a folder in alphabetical order, scaled down to at most 1,024 pixels. */
export async function picturesOf(folder: string): Promise<PictureSource[]> {
  const names = (await readdir(folder)).sort();
  const size = { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true } as const;
  return names.map((name) => () => asPicture(sharp(join(folder, name), { limitInputPixels: false }).resize(size)));
}

/** One drawing of each of this many families. */
export const drawnPictures = (count: number): PictureSource[] =>
  Array.from({ length: count }, (_, at) => () => asPicture(asSharp(photograph(DRAWN_SEED, at * PER_FAMILY))));

/** The vectors of each picture and its copies, one group after the other. */
export async function describedCopies(model: ImageModel, sources: readonly PictureSource[]): Promise<DescribedCopies> {
  const embedding = await model.open();
  const { dimension } = embedding;
  const group = COPY_KINDS.length + 1;
  const count = sources.length * group;
  const vectors = new Float32Array(new SharedArrayBuffer(count * dimension * 4));
  try {
    for (const [at, source] of sources.entries()) {
      const random = new Random(COPY_SEED, at);
      const files = await withCopies(await source(), () => random.between(0, 1));
      for (const [nth, bytes] of files.entries()) {
        vectors.set(await described(bytes, embedding), (at * group + nth) * dimension);
      }
    }
  } finally {
    await embedding.close();
  }
  const picture = Int32Array.from({ length: count }, (_, item) => Math.floor(item / group));
  return { count, dimension, vectors, picture };
}
