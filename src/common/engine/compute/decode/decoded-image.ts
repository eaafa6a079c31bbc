import type { Pixels } from '../../models/pixels';

export const MAX_PIXELS = 100_000_000;
export const MIN_SIDE = 10;

/** An image whose header is read and within bounds, and whose pixels aren't decoded yet. */
export interface OpenedImage {
  /** Upright. */
  readonly width: number;
  readonly height: number;
  /** Decodes once, no larger than the longest side asked for; never enlarges. */
  pixels(longestSide: number): Promise<Pixels>;
}

/** As some decoders give it. */
export interface RawImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  /** Of what its colours are; without it, of sRGB. */
  readonly iccProfile?: Uint8Array | undefined;
}
