export interface JpegHeader {
  /** Upright. */
  readonly width: number;
  readonly height: number;
}

const START_OF_SCAN = 0xda;
const APP1 = 0xe1;
const ORIENTATION = 0x0112;

/** Of a JPEG, from the markers alone, which is far quicker than opening a decoder. */
export function jpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let turned = false;
  for (let at = 2; at + 9 < view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) return undefined;
    const length = view.getUint16(at + 2);
    if (marker === APP1) turned = isTurned(view, at + 4, Math.min(view.byteLength, at + 2 + length));
    if (isStartOfFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return turned ? { width: height, height: width } : { width, height };
    }
    at += 2 + length;
  }
  return undefined;
}

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Whether the EXIF orientation is one of the four that lie on their side. */
function isTurned(view: DataView, start: number, end: number): boolean {
  const tiff = start + 6;
  if (tiff + 8 > end || view.getUint32(start) !== 0x45786966) return false;
  const little = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  if (directory + 2 > end) return false;
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries && directory + 14 + i * 12 <= end; i++) {
    const entry = directory + 2 + i * 12;
    if (view.getUint16(entry, little) === ORIENTATION) return view.getUint16(entry + 8, little) >= 5;
  }
  return false;
}
