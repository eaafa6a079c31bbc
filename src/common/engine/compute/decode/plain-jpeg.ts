import type { EncodedPicture } from '../../models/picture-model';
import { orientationInExif, orientationInXmp, type Orientation } from './orientation';

const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
const ADOBE = 0xee;
/** Baseline, extended and progressive frames with Huffman codes; other kinds are rarely supported. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** Huffman and quantisation tables and the restart interval. */
const TABLES: readonly number[] = [0xc4, 0xdb, 0xdd];
const FIRST_RESTART = 0xd0;
const LAST_RESTART = 0xd7;
const SAMPLE_BITS = 8;
/** In Adobe's segment: the place of the colour transform, and its value for YCbCr. */
const ADOBE_TRANSFORM = 11;
const YCC = 1;
const COLOUR_PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1');
/** About the size of the re-encoded pictures with much detail. */
const MOST_BYTES_PER_PIXEL = 0.5;
const START = Buffer.from([
  ...[0xff, START_OF_IMAGE],
  // Without a resolution. Decoders that find JFIF interpret the colours as YCbCr.
  ...[0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0],
]);

/**
 * Returns the file without its metadata, if every decoder displays it like ours: upright, in sRGB, and within the longest side. Undefined for other
 * files, and if re-encoding would make it smaller. The compressed data is not examined.
 */
export function plainJpeg(bytes: Uint8Array, longestSide: number): EncodedPicture | undefined {
  const header = jpegHeader(bytes);
  if (header === undefined) return undefined;
  const { width, height, exifOrientation, xmpOrientation } = header;
  if ((exifOrientation ?? xmpOrientation ?? 1) !== 1 || Math.max(width, height) > longestSide) return undefined;
  const kept = partsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (kept === undefined) return undefined;
  const jpeg = Buffer.concat([START, ...kept]);
  return jpeg.length <= width * height * MOST_BYTES_PER_PIXEL ? { jpeg, width, height } : undefined;
}

/** The parts of the file that decoders need. Data after the image, such as the video in a phone's picture, is omitted. */
function partsOf(file: Buffer): Buffer[] | undefined {
  const kept: Buffer[] = [];
  for (let at = 2; at + 2 <= file.length && file[at] === 0xff;) {
    const marker = file[at + 1]!;
    if (marker === END_OF_IMAGE) return [...kept, file.subarray(at, at + 2)];
    const end = at + 4 <= file.length ? at + 2 + file.readUInt16BE(at + 2) : Infinity;
    if (end < at + 4 || end > file.length) return undefined;
    const body = file.subarray(at + 4, end);
    if (isMetadata(marker)) {
      if (changesColours(marker, body)) return undefined;
      at = end;
      continue;
    }
    if (!TABLES.includes(marker) && marker !== START_OF_SCAN && !(FRAMES.includes(marker) && isColour(body)))
      return undefined;
    const next = marker === START_OF_SCAN ? endOfScan(file, end) : end;
    kept.push(file.subarray(at, next));
    at = next;
  }
  return undefined;
}

const isMetadata = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === COMMENT;

const changesColours = (marker: number, body: Buffer): boolean =>
  (marker === ADOBE && body[ADOBE_TRANSFORM] !== YCC) || body.subarray(0, COLOUR_PROFILE.length).equals(COLOUR_PROFILE);

/** Whether the frame has three components with the numbers for YCbCr. */
const isColour = (frame: Buffer): boolean =>
  frame[0] === SAMPLE_BITS && frame[5] === 3 && frame[6] === 1 && frame[9] === 2 && frame[12] === 3;

/** The position of the next marker. In compressed data, 0xff is followed by 0 or by a restart number. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1]!;
    if (next !== 0 && (next < FIRST_RESTART || next > LAST_RESTART)) return at;
  }
  return file.length;
}

interface JpegHeader {
  /** The memory of a decoder for the whole image: all coefficients, if they come in several scans. */
  readonly heldBytes: number;
  /** As stored, before orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly exifOrientation: Orientation | undefined;
  readonly xmpOrientation: Orientation | undefined;
}

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
