import { orientationInExif, orientationInXmp, type Orientation } from './orientation';

export interface JpegHeader {
  /** The memory of a decoder for the whole image: all coefficients, if they come in several scans. */
  readonly heldBytes: number;
  /** As stored, before orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly exifOrientation: Orientation | undefined;
  readonly xmpOrientation: Orientation | undefined;
}

const START_OF_SCAN = 0xda;
const APP1 = 0xe1;
const COEFFICIENT_BYTES = 2;
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

/** Reads the header of a JPEG from its markers, which is far faster than opening a decoder. */
export function jpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let exifOrientation: Orientation | undefined;
  let xmpOrientation: Orientation | undefined;
  for (let at = 2; at + 10 < view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) return undefined;
    const length = view.getUint16(at + 2);
    if (marker === APP1) {
      // An image may have several such segments, only one of which is EXIF.
      const segment = bytes.subarray(at + 4, at + 2 + length);
      if (beginsWith(segment, EXIF)) {
        exifOrientation ??= orientationInExif(view, at + 4 + EXIF.length, at + 4 + segment.length);
      } else if (beginsWith(segment, XMP)) {
        xmpOrientation ??= orientationInXmp(segment.subarray(XMP.length));
      }
    }
    if (isStartOfFrame(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      const heldBytes = isSequential(marker) ? 0 : width * height * view.getUint8(at + 9) * COEFFICIENT_BYTES;
      return { width, height, heldBytes, exifOrientation, xmpOrientation };
    }
    at += 2 + length;
  }
  return undefined;
}

const isSequential = (marker: number): boolean => marker === 0xc0 || marker === 0xc1;

const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const beginsWith = (bytes: Uint8Array, start: Buffer): boolean =>
  bytes.length >= start.length && start.compare(bytes, 0, start.length) === 0;
