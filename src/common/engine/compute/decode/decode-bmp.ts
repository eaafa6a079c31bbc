import { MediaRejected } from '../media-analysis';
import { openRaw } from './decode-with-sharp';
import { type OpenedImage, type RawImage, checkDimensions } from './decoded-image';

interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly topDown: boolean;
  readonly bits: number;
  readonly compression: number;
  /** The offset of the pixels. */
  readonly offset: number;
  /** The RGB values of each palette entry. */
  readonly palette: Uint8Array;
  /** The masks of red, green, blue and alpha, for 16 and 32 bits per pixel. */
  readonly masks: readonly [number, number, number, number];
}

const UNCOMPRESSED = 0;
const RLE8 = 1;
const RLE4 = 2;
const BIT_FIELDS = 3;
const ALPHA_BIT_FIELDS = 6;

/** A palette index, and four channels here and in libvips. */
const BYTES_PER_PIXEL = 9;

export function openBmp(bytes: Uint8Array): OpenedImage {
  const { width, height } = rejectIfTruncated(bytes, readBmpHeader);
  return openRaw({ width, height, decodedBytes: width * height * BYTES_PER_PIXEL }, () => decodeBmp(bytes), false);
}

export const decodeBmp = (bytes: Uint8Array): RawImage => rejectIfTruncated(bytes, decode);

function rejectIfTruncated<T>(bytes: Uint8Array, read: (view: DataView) => T): T {
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) throw new MediaRejected('unreadable', 'The BMP file is truncated.');
    throw error;
  }
}

function decode(view: DataView): RawImage {
  const header = readBmpHeader(view);
  const { width, height, bits, compression, masks } = header;
  if (bits <= 8) return { data: decodeIndexed(view, header), width, height, channels: 3 };
  if (![UNCOMPRESSED, BIT_FIELDS, ALPHA_BIT_FIELDS].includes(compression)) throw unknownBmp(header);
  const channels = masks[3] === 0 ? 3 : 4;
  return { data: decodeDirect(view, header, channels), width, height, channels };
}

function decodeIndexed(view: DataView, header: BmpHeader): Uint8Array {
  const { width, height, bits, compression, palette } = header;
  const runs = compression === RLE8 || compression === RLE4;
  if (runs ? bits !== (compression === RLE8 ? 8 : 4) : compression !== UNCOMPRESSED) throw unknownBmp(header);
  const indices = runs ? readRunLengths(view, header) : readIndices(view, header);
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < indices.length; i++) {
    for (let c = 0; c < 3; c++) data[i * 3 + c] = palette[indices[i]! * 3 + c]!;
  }
  return data;
}

function readIndices(view: DataView, header: BmpHeader): Uint8Array {
  const { width, height, bits, offset } = header;
  const stride = Math.ceil((width * bits) / 32) * 4;
  const mask = (1 << bits) - 1;
  const indices = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const line = offset + lineOf(header, y) * stride;
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      indices[y * width + x] = (view.getUint8(line + (bit >> 3)) >> (8 - bits - (bit & 7))) & mask;
    }
  }
  return indices;
}

function decodeDirect(view: DataView, header: BmpHeader, channels: 3 | 4): Uint8Array {
  const { width, height, bits, offset } = header;
  const bytes = bits / 8;
  const stride = Math.ceil((width * bytes) / 4) * 4;
  const data = new Uint8Array(width * height * channels);
  const fields = header.masks.slice(0, channels).map(fieldOf);
  for (let y = 0, to = 0; y < height; y++) {
    let from = offset + lineOf(header, y) * stride;
    for (let x = 0; x < width; x++, from += bytes) {
      const value =
        bytes === 2 ? view.getUint16(from, true) : bytes === 4 ? view.getUint32(from, true) : read24(view, from);
      for (const { mask, shift, scale } of fields) data[to++] = (((value & mask) >>> shift) * scale + 0.5) | 0;
    }
  }
  return data;
}

const read24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

function fieldOf(mask: number): { mask: number; shift: number; scale: number } {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const largest = mask >>> shift;
  return { mask, shift, scale: largest === 0 ? 0 : 255 / largest };
}

const unknownBmp = ({ bits, compression }: Pick<BmpHeader, 'bits' | 'compression'>): MediaRejected =>
  new MediaRejected(
    'unsupported',
    `The BMP file has ${bits} bits per pixel with compression ${compression}, which is not supported.`,
  );

function readBmpHeader(view: DataView): BmpHeader {
  const size = view.getUint32(14, true);
  const old = size === 12;
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = old ? view.getInt16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(old ? 24 : 28, true);
  const compression = old ? UNCOMPRESSED : view.getUint32(30, true);
  const height = Math.abs(signedHeight);
  checkDimensions(width, height);
  if (![1, 4, 8, 16, 24, 32].includes(bits)) throw unknownBmp({ bits, compression });
  const afterMasks = 14 + size + (size === 40 ? maskBytes(compression) : 0);
  const given = old ? 0 : view.getUint32(46, true);
  const colours = bits > 8 ? 0 : Math.min(given || 1 << bits, 1 << bits);
  const stride = old ? 3 : 4;
  const givenOffset = view.getUint32(10, true);
  return {
    width,
    height,
    topDown: signedHeight < 0,
    bits,
    compression,
    // Some files give the offset of the palette there.
    offset: givenOffset === afterMasks ? afterMasks + colours * stride : givenOffset,
    palette: readPalette(view, afterMasks, colours, stride),
    masks: readMasks(view, size, bits, compression),
  };
}

const maskBytes = (compression: number): number =>
  compression === BIT_FIELDS ? 12 : compression === ALPHA_BIT_FIELDS ? 16 : 0;

function readPalette(view: DataView, start: number, colours: number, stride: number): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let i = 0; i < colours; i++) {
    for (let c = 0; c < 3; c++) palette[i * 3 + c] = view.getUint8(start + i * stride + 2 - c);
  }
  return palette;
}

function readMasks(view: DataView, size: number, bits: number, compression: number): BmpHeader['masks'] {
  if (compression === BIT_FIELDS || compression === ALPHA_BIT_FIELDS) {
    const alpha = size >= 56 || compression === ALPHA_BIT_FIELDS ? view.getUint32(66, true) : 0;
    return [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true), alpha];
  }
  return bits === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0xff00, 0xff, 0];
}

/** The row in the file, which is stored bottom-up unless the header says otherwise. */
export const lineOf = ({ topDown, height }: BmpHeader, y: number): number => (topDown ? y : height - 1 - y);

const END_OF_LINE = 0;
const END_OF_IMAGE = 1;
const MOVE = 2;

/** Decodes RLE8 and RLE4 to palette indices; 0 where nothing is drawn. */
function readRunLengths(view: DataView, header: BmpHeader): Uint8Array {
  const { width, height, bits } = header;
  const indices = new Uint8Array(width * height);
  let at = header.offset;
  let x = 0;
  let line = 0;
  const draw = (index: number): void => {
    if (x < width) indices[lineOf(header, line) * width + x++] = index;
  };
  while (line < height) {
    const count = view.getUint8(at++);
    const value = view.getUint8(at++);
    if (count > 0) {
      for (let i = 0; i < count; i++) draw(indexIn(value, i, bits));
    } else if (value === END_OF_LINE) {
      x = 0;
      line++;
    } else if (value === END_OF_IMAGE) {
      break;
    } else if (value === MOVE) {
      x += view.getUint8(at++);
      line += view.getUint8(at++);
    } else {
      for (let i = 0; i < value; i++) draw(indexIn(view.getUint8(at + ((i * bits) >> 3)), i, bits));
      at += Math.ceil((value * bits) / 16) * 2;
    }
  }
  return indices;
}

const indexIn = (byte: number, position: number, bits: number): number =>
  bits === 8 ? byte : position % 2 === 0 ? byte >> 4 : byte & 15;
