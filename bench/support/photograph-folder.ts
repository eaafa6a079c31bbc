import { pictureFolderMadeOnce } from './made-once';
import { asSharp, photograph } from './photographs';
import { Random } from '../../test/support/random';

const WIDTH = 1600;
const HEIGHT = 1067;
const SEED = 41;

/** Noisy JPEGs of 1600 x 1067 pixels and about 300 KB. */
export const photographFolder = (count: number): Promise<string> =>
  pictureFolderMadeOnce('photographs', count, noisyPhotograph);

const GRAIN = Int8Array.from(
  { length: 1 << 20 },
  (
    (random) => () =>
      Math.round(7.5 * random.normal())
  )(new Random(SEED)),
);

/** Grain at full resolution, like that of a sensor, makes the files as large as real ones. */
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
