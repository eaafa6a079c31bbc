import { Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { IndexedContent, PixelBox, Quarantined } from '../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { Settings } from '../../settings';
import { objectRow } from './domain/media-rows';

/** Few enough for the time limit of a file, even with a slow model. */
const BOXES_AT_ONCE = 100;

/** An image or a frame. */
export type CroppedPicture = Pick<
  MediaRow,
  'id' | 'kind' | 'fileName' | 'path' | 'source' | 'box' | 'mimeType' | 'sizeBytes' | 'sha256' | 'batchId'
>;

export interface CroppedObject<Marked> {
  readonly of: Marked;
  /** Without labels. */
  readonly row: MediaRow;
}

export interface CroppedObjects<Marked> {
  readonly kind: 'CUT';
  /** The objects inside the picture. */
  readonly objects: readonly CroppedObject<Marked>[];
}

/** What a row must have so that objects can be cut out of its picture. */
export const PICTURE_FIELDS = [
  'id',
  'kind',
  'fileName',
  'path',
  'source',
  'box',
  'mimeType',
  'sizeBytes',
  'width',
  'height',
  'sha256',
  'batchId',
] as const;
export type PictureRow = Pick<MediaRow, (typeof PICTURE_FIELDS)[number]>;

/** The content of a row when it was indexed; nothing for a frame, which the service extracted itself. */
export const indexedContent = ({
  kind,
  sha256,
  box,
}: Pick<MediaRow, 'kind' | 'sha256' | 'box'>): { readonly indexedAs?: IndexedContent } =>
  kind === 'FRAME' ? {} : { indexedAs: { sha256, region: box } };

/** Crops objects out of an indexed picture, and analyses them like objects of annotation files. */
@Injectable()
export class ObjectCrops {
  constructor(
    private readonly pool: ComputePool,
    private readonly settings: Settings,
  ) {}

  /** The number of pictures that keep all children busy. */
  get atOnce(): number {
    return 4 * this.pool.capacity;
  }

  /** `modelId` is the model of the dataset's embeddings. */
  async cut<Marked extends { readonly pixels: PixelBox }>(
    picture: CroppedPicture,
    marked: readonly Marked[],
    modelId: string,
    signal: AbortSignal,
  ): Promise<CroppedObjects<Marked> | Quarantined> {
    const objects: CroppedObject<Marked>[] = [];
    for (let start = 0; start < marked.length; start += BOXES_AT_ONCE) {
      const some = marked.slice(start, start + BOXES_AT_ONCE);
      const cut = await this.pool.cut(
        {
          source: picture.source,
          ...indexedContent(picture),
          modelId,
          boxes: some.map(({ pixels }) => pixels),
          swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
        },
        { signal },
      );
      if (cut.kind === 'QUARANTINED') return cut;
      objects.push(
        ...cut.objects.map((analysis) => ({ of: some[analysis.index]!, row: objectRow(picture, analysis) })),
      );
    }
    return { kind: 'CUT', objects };
  }
}
