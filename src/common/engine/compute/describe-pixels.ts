import type { ImageEmbedding } from '../models/embedding';
import type { Pixels } from '../models/picture-model';
import { resizePixels } from '../models/resize-pixels';
import type { Analysis } from './media-analysis';
import { measure } from './pixel-measures';
import { THUMBNAIL_SIDE, type ThumbnailStore } from './thumbnail-store';

export type Description = Pick<
  Analysis,
  'perceptualHash' | 'sharpness' | 'meanIntensity' | 'thumbnailKey' | 'embedding'
>;

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
  const resized = resizePixels(
    pixels,
    Math.max(1, Math.round(pixels.width * scale)),
    Math.max(1, Math.round(pixels.height * scale)),
  );
  return { ...resized, original: pixels.original ?? { width: pixels.width, height: pixels.height } };
}
