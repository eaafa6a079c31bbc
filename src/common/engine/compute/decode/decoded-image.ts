import type { Pixels } from '../../models/picture-model';
import { MediaRejected } from '../media-analysis';
import { errorMessage } from '../../../platform/errors/error-code';

/** From ECMAScript 2024. */
interface TransferableBuffer {
  transfer(length: number): ArrayBuffer;
}

export const MAX_PIXELS = 100_000_000;
export const MIN_SIDE = 10;

const IMAGE = { what: 'image', maxPixels: MAX_PIXELS };
/** The memory limit for decoding an image. */
export const MAX_DECODED_BYTES = 2 * 1024 ** 3;

/** An image whose header has been read and checked, and whose pixels are not decoded yet. */
export interface OpenedImage {
  /** In upright orientation. */
  readonly width: number;
  readonly height: number;
  /** The maximum memory for decoding, according to the header. */
  readonly decodedBytes: number;
  /** Decodes the image once, scaled down to the longest side; never enlarges. */
  pixels(longestSide: number): Promise<Pixels>;
}

/** Waits for other images if decoding needs much memory. Throws MediaRejected if it needs too much. */
export type Admit = (decodedBytes: number) => Promise<void>;

/** Pixels as some decoders return them. */
export interface RawImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  /** The ICC profile of the colours; sRGB if undefined. */
  readonly iccProfile?: Uint8Array | undefined;
}

/** Checked in the header, before any pixel is decoded. */
export function checkDimensions(width: number, height: number, { what, maxPixels } = IMAGE): void {
  if (!(width > 0 && height > 0)) throw new MediaRejected('unreadable', `The ${what} has no size.`);
  if (width * height > maxPixels) {
    throw new MediaRejected(
      'too_large',
      `The ${what} is ${width} x ${height}, more than ${maxPixels / 1_000_000} megapixels.`,
    );
  }
  if (width < MIN_SIDE || height < MIN_SIDE) {
    throw new MediaRejected(
      'too_small',
      `The ${what} is ${width} x ${height}, less than ${MIN_SIDE} pixels on a side.`,
    );
  }
}

/** Attributes errors of a decoder to the file. */
export async function rejectOnFailure<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof MediaRejected) throw error;
    throw rejectionOf(errorMessage(error));
  }
}

function rejectionOf(message: string): MediaRejected {
  const firstLine = message.split('\n', 1)[0]!.trim();
  if (message.includes('exceeds pixel limit')) return new MediaRejected('too_large', firstLine);
  const reason = firstLine.endsWith(':') ? firstLine.slice(0, -1) : firstLine;
  return new MediaRejected('unreadable', `The image can't be decoded: ${reason}`);
}

/** Releases the memory of bytes immediately. Otherwise a few files trigger garbage collections that take a tenth of their analysis. */
export function freeBytes(bytes: Uint8Array): void {
  const ownsAll = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  if (ownsAll) (bytes.buffer as unknown as TransferableBuffer).transfer(0);
}
