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
    // An invalid value counts as well, as it does for libvips.
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
