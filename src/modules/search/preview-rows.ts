import { CARD_FIELDS, type Card } from '../../common/engine/media-table/row-card';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import type { PreviewCards } from './preview-cards';

export type PreviewRow = Card;

/** The fields of rows that previews show, by ordinal. */
export async function readPreviewRows(
  table: MediaTable,
  cards: PreviewCards | undefined,
  ordinals: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PreviewRow>> {
  const wanted = [...ordinals];
  const rows = cards === undefined ? await table.takeRows(wanted, CARD_FIELDS) : wanted.map((row) => cards.of(row));
  return new Map(rows.map((row, i) => [wanted[i]!, row]));
}
