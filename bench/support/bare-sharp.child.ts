import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { THUMBNAIL_SIDE, THUMBNAIL_WEBP } from '../../src/common/engine/compute/thumbnail-store';

const MODEL_SIDE = 128;

export interface BareSharpWork {
  readonly paths: readonly string[];
  readonly atOnce: number;
  /** If given, only the input of a model of this side is made; otherwise also a thumbnail. */
  readonly side: number | null;
}

/** Decodes an image and makes the model input of this side. */
async function prepare(path: string, side: number): Promise<number> {
  const input = sharp(await readFile(path))
    .autoOrient()
    .resize(side, side, { fit: 'fill' })
    .raw();
  return (await input.toBuffer()).length;
}

/** Decodes an image once, and makes a thumbnail and a model input. */
async function describe(path: string): Promise<number> {
  const { data, info } = await sharp(await readFile(path))
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoded = { raw: { width: info.width, height: info.height, channels: info.channels } };
  const [thumbnail, input] = await Promise.all([
    sharp(data, decoded).webp(THUMBNAIL_WEBP).toBuffer(),
    sharp(data, decoded).resize(MODEL_SIDE, MODEL_SIDE, { fit: 'fill' }).raw().toBuffer(),
  ]);
  return thumbnail.length + input.length;
}

async function run({ paths, atOnce, side }: BareSharpWork): Promise<void> {
  sharp.concurrency(1);
  sharp.cache(false);
  let next = 0;
  const some = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++)
      await (side === null ? describe(paths[at]!) : prepare(paths[at]!, side));
  };
  await Promise.all(Array.from({ length: atOnce }, some));
}

process.on('message', (work: BareSharpWork) => {
  void run(work).then(() => process.send!('done'));
});
