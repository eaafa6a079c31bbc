import type { Pixels } from '../../models/picture-model';

/** The EXIF values: 1 is upright, 5 to 8 are rotated by 90 degrees. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
/** XMP may contain embedded previews; the properties of the image come first. */
const XMP_CHARACTERS = 256 * 1024;

export const isTurned = (orientation: Orientation): boolean => orientation >= 5;

export function asOrientation(value: number | undefined): Orientation | undefined {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 8
    ? (value as Orientation)
    : undefined;
}

/** Reads the orientation from an EXIF block, starting at the byte order mark. */
export function orientationInExif(view: DataView, start: number, end: number): Orientation | undefined {
  if (start + 8 > end) return undefined;
  const little = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, little);
  if (directory + 2 > end) return undefined;
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries && directory + 14 + i * 12 <= end; i++) {
    const entry = directory + 2 + i * 12;
    // An invalid value counts too, as in libvips.
    if (view.getUint16(entry, little) === ORIENTATION_TAG) return asOrientation(view.getUint16(entry + 8, little)) ?? 1;
  }
  return undefined;
}

/** XMP writes a property either as an attribute or as an element. */
export function orientationInXmp(xmp: Uint8Array): Orientation | undefined {
  const text = Buffer.from(xmp.buffer, xmp.byteOffset, Math.min(xmp.length, XMP_CHARACTERS)).toString('latin1');
  const digit = /tiff:Orientation(?:="|='|>)([1-8])["'<]/.exec(text)?.[1];
  return asOrientation(digit === undefined ? undefined : Number(digit));
}

/** Rotates and mirrors stored pixels so that they are upright. */
export function turnPixels(pixels: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return pixels;
  const turned = isTurned(orientation);
  const width = turned ? pixels.height : pixels.width;
  const height = turned ? pixels.width : pixels.height;
  const data = new Uint8Array(width * height * 3);
  // Whether the first column or row of the upright image is the last one as stored.
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      const [column, line] = turned ? [y, x] : [x, y];
      const storedX = fromRight ? pixels.width - 1 - column : column;
      const storedY = fromBottom ? pixels.height - 1 - line : line;
      const from = (storedY * pixels.width + storedX) * 3;
      data[to] = pixels.data[from]!;
      data[to + 1] = pixels.data[from + 1]!;
      data[to + 2] = pixels.data[from + 2]!;
    }
  }
  return { data, width, height };
}
