import type { ImageEmbedding } from '../models/embedding';
import type { Pixels } from '../models/picture-model';
import { resizeByArea } from '../models/resizing/resize-by-area';
import type { Analysis } from './media-analysis';
import { THUMBNAIL_SIDE, type ThumbnailStore } from './thumbnail-store';

/** Reused, because allocating it takes as long as filling it. */
let greyScratch = new Uint8Array();

/** What an analysis gets from the pixels. */
export type Description = Omit<Analysis, 'mimeType' | 'sizeBytes' | 'sha256' | 'width' | 'height'>;

export interface Described {
  readonly description: Description;
  /** Resolves when every file it refers to is in the store. */
  readonly stored: Promise<unknown>;
}

/** Computes the measures, thumbnail and embedding of an image from pixels decoded once. */
export class PixelDescriber {
  constructor(
    private readonly thumbnails: ThumbnailStore,
    private readonly embedding: ImageEmbedding,
  ) {}

  async describe(pixels: Pixels, thumbnailName: string): Promise<Described> {
    const working = fitted(pixels);
    const thumbnail = await this.thumbnails.put(thumbnailName, working);
    // A failed upload is handled where `stored` is awaited, even if the embedding fails first.
    thumbnail.stored.catch(() => undefined);
    const [embedding] = await this.embedding.embed([working]);
    return {
      description: { ...measure(working), thumbnailKey: thumbnail.key, embedding: embedding! },
      stored: thumbnail.stored,
    };
  }

  async embed(pixels: Pixels): Promise<Float32Array> {
    const [embedding] = await this.embedding.embed([fitted(pixels)]);
    return embedding!;
  }
}

function fitted(pixels: Pixels): Pixels {
  const scale = THUMBNAIL_SIDE / Math.max(pixels.width, pixels.height);
  if (scale >= 1) return pixels;
  const resized = resizeByArea(
    pixels,
    Math.max(1, Math.round(pixels.width * scale)),
    Math.max(1, Math.round(pixels.height * scale)),
  );
  return { ...resized, original: pixels.original ?? { width: pixels.width, height: pixels.height } };
}

const SIDE = 32;
const KEPT = 8;
const COSINES = Float64Array.from({ length: KEPT * SIDE }, (_, i) =>
  Math.cos((Math.PI * Math.floor(i / SIDE) * (2 * (i % SIDE) + 1)) / (2 * SIDE)),
);

interface PixelMeasures {
  /** The variance of the Laplacian; blurred if below 50. Comparable only between images of similar working size. */
  readonly sharpness: number;
  /** 0..255. */
  readonly meanIntensity: number;
  /** 64 bits, hex. */
  readonly perceptualHash: string;
}

export function measure(pixels: Pixels): PixelMeasures {
  const { grey, mean } = greyOf(pixels);
  return {
    sharpness: laplacianVariance(grey, pixels.width, pixels.height),
    meanIntensity: mean,
    perceptualHash: perceptualHash(grey, pixels.width, pixels.height),
  };
}

function greyOf({ data }: Pixels): { grey: Uint8Array; mean: number } {
  const count = data.length / 3;
  if (greyScratch.length < count) greyScratch = new Uint8Array(count);
  const grey = greyScratch;
  let sum = 0;
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    const value = (data[at]! * 19595 + data[at + 1]! * 38470 + data[at + 2]! * 7471 + 32768) >> 16;
    grey[i] = value;
    sum += value;
  }
  return { grey, mean: sum / count };
}

function laplacianVariance(grey: Uint8Array, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  // Half of the rows give nearly the same value.
  for (let y = 1; y < height - 1; y += 2) {
    // In integers, row by row: the sum of squares of a row fits in 31 bits at working size.
    let line = 0;
    let lineSquares = 0;
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      const value = grey[at - 1]! + grey[at + 1]! + grey[at - width]! + grey[at + width]! - 4 * grey[at]!;
      line += value;
      lineSquares += value * value;
    }
    sum += line;
    squares += lineSquares;
    count += width - 2;
  }
  return squares / count - (sum / count) ** 2;
}

/** The signs of the 8 x 8 lowest frequencies relative to their median. */
function perceptualHash(grey: Uint8Array, width: number, height: number): string {
  const small = reduced(grey, width, height);
  const rows = new Float64Array(KEPT * SIDE);
  for (let y = 0; y < SIDE; y++) {
    for (let u = 0; u < KEPT; u++) {
      let sum = 0;
      for (let x = 0; x < SIDE; x++) sum += COSINES[u * SIDE + x]! * small[y * SIDE + x]!;
      rows[u * SIDE + y] = sum;
    }
  }
  const frequencies = Float64Array.from({ length: KEPT * KEPT }, (_, i) => {
    const u = i % KEPT;
    const v = Math.floor(i / KEPT);
    let sum = 0;
    for (let y = 0; y < SIDE; y++) sum += COSINES[v * SIDE + y]! * rows[u * SIDE + y]!;
    return sum;
  });
  // The mean brightness says nothing about the content of the image.
  frequencies[0] = 0;
  const sorted = frequencies.toSorted();
  const median = (sorted[31]! + sorted[32]!) / 2;
  const bit = (at: number): number => (frequencies[at]! > median ? 1 : 0);
  const digits = Array.from({ length: (KEPT * KEPT) / 4 }, (_, i) => {
    const at = 4 * i;
    return (8 * bit(at) + 4 * bit(at + 1) + 2 * bit(at + 2) + bit(at + 3)).toString(16);
  });
  return digits.join('');
}

/** The mean values of SIDE x SIDE cells. */
function reduced(grey: Uint8Array, width: number, height: number): Float64Array {
  const cells = new Float64Array(SIDE * SIDE);
  for (let v = 0; v < SIDE; v++) {
    const top = Math.floor((v * height) / SIDE);
    const bottom = Math.max(top + 1, Math.floor(((v + 1) * height) / SIDE));
    for (let u = 0; u < SIDE; u++) {
      const left = Math.floor((u * width) / SIDE);
      const right = Math.max(left + 1, Math.floor(((u + 1) * width) / SIDE));
      let sum = 0;
      let count = 0;
      for (let y = top; y < bottom; y += 2) {
        for (let x = left; x < right; x++, count++) sum += grey[y * width + x]!;
      }
      cells[v * SIDE + u] = sum / count;
    }
  }
  return cells;
}
