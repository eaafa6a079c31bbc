import type { MediaRow } from '../../common/media-table/media-row';
import type { MediaField } from '../../common/media-table/media-schema';
import { CARD_FIELDS } from '../../common/media-table/row-card';
import type { MediaTable } from '../../common/media-table/media-table';

const FIELDS = [...CARD_FIELDS, 'caption'] as const satisfies readonly MediaField[];

export type PreviewRow = Pick<MediaRow, (typeof FIELDS)[number]>;

/** What previews show of rows, by ordinal. */
export async function readPreviewRows(
  table: MediaTable,
  ordinals: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PreviewRow>> {
  const wanted = [...ordinals];
  const rows = await table.takeRows(wanted, FIELDS);
  return new Map(rows.map((row, i) => [wanted[i]!, row]));
}
