import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { THUMBNAIL_SIDE, THUMBNAIL_WEBP } from '../../src/common/engine/compute/thumbnail-store';

const MODEL_SIDE = 128;

/** Decode once, thumbnail, model input, and nothing else. */
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

async function run(paths: readonly string[], atOnce: number): Promise<void> {
  sharp.concurrency(1);
  sharp.cache(false);
  let next = 0;
  const some = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++) await describe(paths[at]!);
  };
  await Promise.all(Array.from({ length: atOnce }, some));
}

process.on('message', ({ paths, atOnce }: { paths: string[]; atOnce: number }) => {
  void run(paths, atOnce).then(() => process.send!('done'));
});
