import { MediaRejected } from '../media-rejected';
import {
  ALPHA_BIT_FIELDS,
  BIT_FIELDS,
  lineOf,
  readBmpHeader,
  RLE4,
  RLE8,
  UNCOMPRESSED,
  unknownBmp,
  type BmpHeader,
} from './bmp-header';
import { readRunLengths } from './bmp-run-lengths';
import { openRaw } from './decode-with-sharp';
import type { OpenedImage, RawImage } from './decoded-image';

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
