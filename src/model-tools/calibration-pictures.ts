import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { StartError } from '../common/platform/config/configuration-error';
import { errorMessage } from '../common/platform/errors/error-code';
import { openImage } from '../common/engine/compute/decode/open-image';
import { mediaTypeOf, SIGNATURE_BYTES } from '../common/engine/compute/media-type';
import { THUMBNAIL_SIDE } from '../common/engine/compute/thumbnail-store';
import type { ImageEmbedding } from '../common/engine/models/embedding';
import { SeededRandom } from '#sample';
import { COPY_KINDS, withCopies, type Picture } from './picture-copies';

const MAX_SIDE = 1024;

/** The vectors of pictures and their copies. */
export interface CalibrationPictures {
  readonly dimension: number;
  readonly pictures: number;
  /** Each picture is followed by its copies in the order of COPY_KINDS. */
  readonly vectors: Float32Array;
  /** The number of the subfolder of each picture; empty without subfolders. */
  readonly folders: readonly number[];
}

/** Selects up to `most` pictures of a folder and its subfolders, evenly distributed. */
export async function describePictures(
  root: string,
  embedding: ImageEmbedding,
  most: number,
  onPicture: (done: number, all: number) => void,
): Promise<CalibrationPictures> {
  const found: { readonly folder: string; readonly vectors: readonly Float32Array[] }[] = [];
  const paths = spread(await filesBelow(root), most);
  for (const [at, path] of paths.entries()) {
    const picture = await pictureIn(path);
    onPicture(at + 1, paths.length);
    if (picture === undefined) continue;
    const random = new SeededRandom(`calibration ${at}`);
    const files = await withCopies(picture, () => random.between(0, 1));
    const vectors: Float32Array[] = [];
    for (const bytes of files) vectors.push(await described(bytes, embedding));
    found.push({ folder: relative(root, join(path, '..')), vectors });
  }
  if (found.length < 2) throw new StartError(`The folder ${root} has fewer than two pictures.`);
  const { dimension } = embedding;
  const group = COPY_KINDS.length + 1;
  const vectors = new Float32Array(found.length * group * dimension);
  for (const [at, each] of found.entries())
    each.vectors.forEach((vector, nth) => vectors.set(vector, (at * group + nth) * dimension));
  const names = [...new Set(found.map(({ folder }) => folder))];
  const folders = names.length < 2 ? [] : found.map(({ folder }) => names.indexOf(folder));
  return { dimension, pictures: found.length, vectors, folders };
}

async function filesBelow(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
  } catch (error) {
    throw new StartError(`The folder ${root} can't be read: ${errorMessage(error)}.`);
  }
}

const spread = (paths: readonly string[], most: number): string[] =>
  paths.length <= most
    ? [...paths]
    : Array.from({ length: most }, (_, at) => paths[Math.floor(((at + 0.5) * paths.length) / most)]!);

/** Undefined if the file is not a readable picture. */
async function pictureIn(path: string): Promise<Picture | undefined> {
  try {
    const { data, info } = await sharp(path)
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

/** The vector of the file, as computed by indexing. */
export async function described(bytes: Buffer, embedding: ImageEmbedding): Promise<Float32Array> {
  const type = mediaTypeOf(bytes.subarray(0, SIGNATURE_BYTES));
  if (type?.kind !== 'IMAGE') throw new Error('The file is not a picture.');
  const image = await openImage({ bytes, format: type.format, swapRedBlueForTiffHeic: false });
  const [vector] = await embedding.embed([await image.pixels(THUMBNAIL_SIDE)]);
  return vector!;
}
