import { Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { ObjectAnalysis, PixelBox, Quarantined } from '../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { FoundObject } from '../../../common/engine/models/picture-model';
import { objectRow } from '../../ingestion/for-operations';
import { Settings } from '../../settings';
import { indexedContent, type SeenRow } from './seen-pictures';

/** Few enough for the time limit of one file, also with a slow model. */
const BOXES_AT_ONCE = 100;

export type CutRows = { readonly kind: 'CUT'; readonly rows: readonly MediaRow[] } | Quarantined;

/** Cuts found objects out of their picture, and describes them as objects of an annotation file are. */
@Injectable()
export class ObjectCrops {
  constructor(
    private readonly pool: ComputePool,
    private readonly settings: Settings,
  ) {}

  /** `modelId`: the model of the dataset's embeddings. */
  async cut(picture: SeenRow, found: readonly FoundObject[], modelId: string, signal: AbortSignal): Promise<CutRows> {
    const rows: MediaRow[] = [];
    for (let start = 0; start < found.length; start += BOXES_AT_ONCE) {
      const some = found.slice(start, start + BOXES_AT_ONCE);
      const cut = await this.pool.cut(
        {
          source: picture.source,
          ...indexedContent(picture),
          modelId,
          boxes: some.map((object) => pixelBox(object, picture)),
          swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
        },
        { signal },
      );
      if (cut.kind === 'QUARANTINED') return cut;
      rows.push(...cut.objects.map((analysis) => foundRow(picture, analysis, some[analysis.index]!)));
    }
    return { kind: 'CUT', rows };
  }
}

const foundRow = (picture: SeenRow, analysis: ObjectAnalysis, { label, confidence }: FoundObject): MediaRow => ({
  ...objectRow(picture, analysis),
  labels: [label],
  generatedLabels: [{ label, confidence, given: false }],
});

const pixelBox = ({ box }: FoundObject, { width, height }: Pick<MediaRow, 'width' | 'height'>): PixelBox => ({
  x: box.x * width,
  y: box.y * height,
  width: box.width * width,
  height: box.height * height,
});
