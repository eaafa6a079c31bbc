import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../common/platform/config/configuration-error';
import { errorMessage } from '../common/platform/errors/error-code';
import { openImage } from '../common/engine/compute/decode/open-image';
import { mediaTypeOf } from '../common/engine/compute/media-type';
import type { Pixels } from '../common/engine/models/picture-model';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';

export interface CheckPicture {
  readonly name: string;
  /** The description of the picture, if any. */
  readonly caption?: string;
  /** Decodes the picture with a longest side of about `longestSide`. */
  pixels(longestSide: number): Promise<Pixels>;
}

const MAX_PICTURES = 200;

/** One picture of each kind in the sample dataset. */
export async function drawnPictures(count: number): Promise<CheckPicture[]> {
  const pictures: CheckPicture[] = [];
  for (const family of SAMPLE_FAMILIES.slice(0, count)) {
    const seed = `model check ${family.name}`;
    const scene = family.draw(new SeededRandom(seed));
    const bytes = await renderPicture(scene, 'none', '.jpg', seed);
    pictures.push({ ...fileOf(family.name, bytes), caption: scene.caption });
  }
  return pictures;
}

/** The pictures in a folder; throws if there are none. */
export async function picturesIn(folder: string, count = MAX_PICTURES): Promise<CheckPicture[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new StartError(`The folder ${folder} can't be read: ${errorMessage(error)}.`);
  });
  const pictures: CheckPicture[] = [];
  for (const name of names.sort()) {
    if (pictures.length >= count) break;
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    if (bytes !== undefined && mediaTypeOf(bytes)?.kind === 'IMAGE') pictures.push(fileOf(name, bytes));
  }
  if (pictures.length === 0) throw new StartError(`The folder ${folder} has no pictures.`);
  return pictures;
}

function fileOf(name: string, bytes: Buffer): CheckPicture {
  return {
    name,
    async pixels(longestSide) {
      const type = mediaTypeOf(bytes);
      if (type?.kind !== 'IMAGE') throw new StartError(`${name} is not a picture.`);
      return (await openImage({ bytes, format: type.format, swapRedBlueForTiffHeic: false })).pixels(longestSide);
    },
  };
}
