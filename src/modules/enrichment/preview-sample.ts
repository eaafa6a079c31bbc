import { inList } from '../../common/engine/media-table/literal';
import type { Box, MediaRow } from '../../common/engine/media-table/media-row';
import { kindCode } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { CARD_FIELDS } from '../../common/engine/media-table/row-card';
import { KINDS_SEEN } from './domain/findings';

const SAMPLE_MEDIA = 8;
/** Of a picture in which a model found more, the surest. */
export const MOST_CAPTIONED = 4;

export interface SampledObject {
  readonly label: string | null;
  readonly box: Box;
}

const SAMPLED_FIELDS = [...CARD_FIELDS, 'kind', 'sha256'] as const;
export type SampledRow = Pick<MediaRow, (typeof SAMPLED_FIELDS)[number]>;

export interface SampledPicture {
  readonly row: SampledRow;
  readonly objects: readonly SampledObject[];
}

/** Images and frames from all over the table, whose rows are in the order of their clusters. */
export async function samplePictures(table: MediaTable): Promise<SampledPicture[]> {
  const chosen = spread(await table.filterOrdinals(`kind IN ${inList(KINDS_SEEN.CAPTION_IMAGES.map(kindCode))}`));
  return (await table.takeRows(chosen, SAMPLED_FIELDS)).map((row) => ({ row, objects: [] }));
}

/** Objects from all over the table, with the pictures that they are in; pictures only if the table has no objects. */
export async function sampleObjects(table: MediaTable): Promise<SampledPicture[]> {
  const chosen = spread(await table.filterOrdinals(`kind = ${kindCode('OBJECT')}`));
  if (chosen.length === 0) return samplePictures(table);
  const objects = await table.takeRows(chosen, ['parentId', 'box', 'labels']);
  const parents = [...new Set(objects.flatMap(({ parentId }) => parentId ?? []))];
  const pictures = await table.takeRows(await table.filterOrdinals(`id IN ${inList(parents)}`), SAMPLED_FIELDS);
  return pictures.map((row) => ({
    row,
    objects: objects.flatMap(({ parentId, box, labels: [label = null] }) =>
      parentId === row.id && box !== null ? [{ label, box }] : [],
    ),
  }));
}

function spread(ordinals: Int32Array): number[] {
  const count = Math.min(SAMPLE_MEDIA, ordinals.length);
  return Array.from({ length: count }, (_, at) => ordinals[Math.floor(((at + 0.5) * ordinals.length) / count)]!);
}
