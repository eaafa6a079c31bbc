import type { Pixels } from '../../models/picture-model';

export const MAX_PIXELS = 100_000_000;
export const MIN_SIDE = 10;
/** Images that take more memory to decode than this are not decoded. */
export const MAX_DECODED_BYTES = 2 * 1024 ** 3;

/** An image whose header has been read and checked, and whose pixels are not decoded yet. */
export interface OpenedImage {
  /** In upright orientation. */
  readonly width: number;
  readonly height: number;
  /** The memory that decoding takes at most, by the header. */
  readonly decodedBytes: number;
  /** Decodes the image once, scaled down to the longest side; never enlarges. */
  pixels(longestSide: number): Promise<Pixels>;
}

/** Waits for other images if decoding takes much memory. Throws MediaRejected if it takes too much. */
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
