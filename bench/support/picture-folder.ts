import { pictureFolderMadeOnce } from './made-once';
import { asSharp, photograph } from './photographs';

const SEED = 43;
const [WIDTH, HEIGHT] = [384, 256];

/** Small JPEGs of 384 x 256 pixels. */
export const pictureFolder = (count: number): Promise<string> =>
  pictureFolderMadeOnce('pictures', count, (index) =>
    asSharp(photograph(SEED, index, WIDTH, HEIGHT))
      .jpeg({ quality: 86 })
      .toBuffer(),
  );
