import { Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { PixelBox, Quarantined } from '../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { FoundObject } from '../../../common/engine/models/picture-model';
import { objectRow } from '../../ingestion/for-operations';
import { Settings } from '../../settings';
import type { SeenRow } from './seen-pictures';

/** Few enough for the time limit of one file, also with a slow model. */
const BOXES_AT_ONCE = 100;

export type CutObjects = { readonly kind: 'CUT'; readonly rows: readonly MediaRow[] } | Quarantined;

/** Cuts found objects out of their picture, and describes them as objects of an annotation file are. */
@Injectable()
export class ObjectCrops {
  constructor(
    private readonly pool: ComputePool,
    private readonly settings: Settings,
  ) {}

  /** `modelId`: the model of the dataset's embeddings. */
  async cut(
    picture: SeenRow,
    objects: readonly FoundObject[],
    modelId: string,
    signal: AbortSignal,
  ): Promise<CutObjects> {
    const rows: MediaRow[] = [];
    for (let start = 0; start < objects.length; start += BOXES_AT_ONCE) {
      const some = objects.slice(start, start + BOXES_AT_ONCE);
      const analysis = await this.pool.analyze(
        {
          source: picture.source,
          modelId,
          fileName: picture.fileName,
          boxes: some.map((object) => pixelBox(object, picture)),
          swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
          frameHeight: null,
        },
        { signal },
      );
      if (analysis.kind === 'QUARANTINED') return analysis;
      if (analysis.kind === 'VIDEO')
        return { kind: 'QUARANTINED', reason: 'unsupported', detail: 'The file is a video, not an image.' };
      rows.push(
        ...analysis.objects.map((cut) => {
          const { label, confidence } = some[cut.index]!;
          return {
            ...objectRow(picture, cut),
            labels: [label],
            generatedLabels: [{ label, confidence, given: false }],
          };
        }),
      );
    }
    return { kind: 'CUT', rows };
  }
}

const pixelBox = ({ box }: FoundObject, { width, height }: Pick<MediaRow, 'width' | 'height'>): PixelBox => ({
  x: box.x * width,
  y: box.y * height,
  width: box.width * width,
  height: box.height * height,
});
