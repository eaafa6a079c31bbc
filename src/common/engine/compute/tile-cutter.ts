import sharp from 'sharp';
import type { EncodedPicture, Pixels } from '../models/picture-model';
import { freeBytes } from './decode/decoded-image';
import { openImage, type ImageBytes } from './decode/open-image';
import { MediaRejected, type TileRequest } from './media-analysis';

const JPEG = { quality: 85, optimiseCoding: false } as const;

/** Cuts tiles out of an image. Keeps the pixels of the last one, because the next tile is mostly of the same. */
export class TileCutter {
  private kept: { readonly name: string; readonly pixels: Pixels } | undefined;

  async cut(
    file: ImageBytes & { readonly sha256: string },
    { longestSide, tile }: Pick<TileRequest, 'longestSide' | 'tile'>,
  ): Promise<EncodedPicture> {
    const { data, width, height } = await this.pixelsOf(file, longestSide);
    const part = { width: Math.min(tile.width, width - tile.x), height: Math.min(tile.height, height - tile.y) };
    if (part.width <= 0 || part.height <= 0) throw new MediaRejected('changed', 'The image is smaller than it was.');
    const { data: jpeg, info } = await sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
      .extract({ left: tile.x, top: tile.y, ...part })
      .jpeg(JPEG)
      .toBuffer({ resolveWithObject: true });
    return { jpeg, width: info.width, height: info.height };
  }

  private async pixelsOf(file: ImageBytes & { readonly sha256: string }, longestSide: number): Promise<Pixels> {
    const name = `${file.sha256} ${longestSide} ${file.swapRedBlueForTiffHeic}`;
    if (this.kept?.name === name) return this.kept.pixels;
    if (this.kept !== undefined) freeBytes(this.kept.pixels.data);
    this.kept = undefined;
    const pixels = await (await openImage(file)).pixels(longestSide);
    this.kept = { name, pixels };
    return pixels;
  }
}
