import { pictureFolderMadeOnce, pictureName } from './made-once';
import { asSharp, PER_FAMILY, photograph } from './photographs';

const SEED = 47;
/** Pictures are drawn at a quarter of this size, which takes a sixteenth of the time. */
const [WIDTH, HEIGHT] = [384, 256];
const SCALE = 4;
export const PICTURE = { width: WIDTH, height: HEIGHT };
/** As many labels as are visible in the compared filter panels. */
export const LABELS = ['anchor', 'bridge', 'candle', 'dragon', 'engine', 'flower', 'guitar', 'harbor'] as const;

export const fileName = pictureName;

export const labelOf = (name: string): string => LABELS[parseInt(name, 10) % LABELS.length]!;

/** Small JPEGs of 384 x 256, hardly any of them similar, with an annotation file. */
export function labelledPictureFolder(count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, index) => `${fileName(index)},${labelOf(fileName(index))}`);
  const annotations = `${['filename,label', ...lines].join('\n')}\n`;
  return pictureFolderMadeOnce('labelled-pictures', count, drawn, { 'image_annotations.csv': annotations });
}

const drawn = (index: number): Promise<Buffer> =>
  asSharp(photograph(SEED, index * PER_FAMILY, WIDTH / SCALE, HEIGHT / SCALE))
    .resize(WIDTH, HEIGHT)
    .jpeg({ quality: 86 })
    .toBuffer();
