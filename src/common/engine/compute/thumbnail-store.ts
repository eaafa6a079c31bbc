import sharp from 'sharp';
import type { Pixels, EncodedPicture } from '../models/picture-model';
import type { ObjectStore } from '../../platform/storage/object-store';

export const THUMBNAIL_SIDE = 384;
export const THUMBNAIL_WEBP = { quality: 80, effort: 1 } as const;

export const encodeThumbnail = ({ data, width, height }: Pixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .webp(THUMBNAIL_WEBP)
    .toBuffer();

/** Thumbnails are named after the content of their image, so that copies share one. */
export class ThumbnailStore {
  constructor(private readonly store: ObjectStore) {}

  /** Resolves when the thumbnail is encoded, and `stored` when it is in the store. */
  async put(name: string, pixels: Pixels): Promise<{ key: string; stored: Promise<void> }> {
    const key = thumbnailKey(name);
    if ((await this.store.head(key)) !== undefined) return { key, stored: Promise.resolve() };
    const bytes = await encodeThumbnail(pixels);
    return { key, stored: this.store.put(key, bytes).then(() => undefined) };
  }
}

/** Increment when the encoder's output changes, because existing thumbnails are kept. */
const DRAWN = 2;

const thumbnailKey = (name: string): string => `thumbs/${name.slice(0, 2)}/${name}.${DRAWN}.webp`;

/** Without optimised Huffman codes, a picture is a tenth larger but takes half the time. */
const JPEG = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false } as const;

/** Encodes a picture for model servers, scaled down to the longest side. */
export async function encodePicture({ data, width, height }: Pixels, longestSide: number): Promise<EncodedPicture> {
  const { data: jpeg, info } = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .jpeg(JPEG)
    .toBuffer({ resolveWithObject: true });
  return { jpeg, width: info.width, height: info.height };
}
