/** As EXIF numbers them: 1 is upright, 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
/** XMP may hold embedded previews; what describes the picture comes first. */
const XMP_CHARACTERS = 256 * 1024;

export const isTurned = (orientation: Orientation): boolean => orientation >= 5;

export function asOrientation(value: number | undefined): Orientation | undefined {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 8
    ? (value as Orientation)
    : undefined;
}

/** Of an EXIF block, from the byte order mark on. */
export function orientationInExif(view: DataView, start: number, end: number): Orientation | undefined {
  if (start + 8 > end) return undefined;
  const little = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, little);
  if (directory + 2 > end) return undefined;
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries && directory + 14 + i * 12 <= end; i++) {
    const entry = directory + 2 + i * 12;
    // What it says counts even where it makes no sense, as it does for libvips.
    if (view.getUint16(entry, little) === ORIENTATION_TAG) return asOrientation(view.getUint16(entry + 8, little)) ?? 1;
  }
  return undefined;
}

/** As an attribute or an element, the two ways in which XMP writes a property. */
export function orientationInXmp(xmp: Uint8Array): Orientation | undefined {
  const text = Buffer.from(xmp.buffer, xmp.byteOffset, Math.min(xmp.length, XMP_CHARACTERS)).toString('latin1');
  const digit = /tiff:Orientation(?:="|='|>)([1-8])["'<]/.exec(text)?.[1];
  return asOrientation(digit === undefined ? undefined : Number(digit));
}
