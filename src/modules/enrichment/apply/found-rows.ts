import type { Quarantined } from '../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { FoundObject } from '../../../common/engine/models/picture-model';
import { inPixels, type ObjectCrops } from '../../tables';
import type { SeenRow } from './seen-pictures';

export type CutRows = { readonly kind: 'CUT'; readonly rows: readonly MediaRow[] } | Quarantined;

/** The rows of objects that a model found in a picture. */
export async function foundRows(
  crops: ObjectCrops,
  picture: SeenRow,
  found: readonly FoundObject[],
  modelId: string,
  signal: AbortSignal,
): Promise<CutRows> {
  const marked = found.map((object) => ({ ...object, pixels: inPixels(object.box, picture) }));
  const cut = await crops.cut(picture, marked, modelId, signal);
  if (cut.kind === 'QUARANTINED') return cut;
  const rows = cut.objects.map(({ of: { label, confidence }, row }): MediaRow => ({
    ...row,
    labels: [label],
    generatedLabels: [{ label, confidence, given: false }],
  }));
  return { kind: 'CUT', rows };
}
