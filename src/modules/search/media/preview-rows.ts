import { CARD_FIELDS, writeCard, type Card } from '../../../common/engine/media-table/row-card';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { CardTexts } from '../../../common/engine/media-table/row-card';
import type { PreviewCards } from '../../versions';

export type PreviewRow = Card;

/** The fields of rows that previews show, in the order requested. */
export async function readPreviewRows(
  table: MediaTable,
  cards: PreviewCards | undefined,
  ordinals: number[],
): Promise<readonly PreviewRow[]> {
  return cards === undefined ? table.takeRows(ordinals, CARD_FIELDS) : ordinals.map((row) => cards.of(row));
}

/** The same as texts. */
export async function readCardTexts(
  table: MediaTable,
  cards: PreviewCards | undefined,
  ordinals: number[],
): Promise<CardTexts> {
  if (cards !== undefined) return cards.texts(ordinals);
  const texts = (await table.takeRows(ordinals, CARD_FIELDS)).map((row) => Buffer.from(writeCard(row)));
  const bounds = new Int32Array(texts.length + 1);
  for (const [at, { length }] of texts.entries()) bounds[at + 1] = bounds[at]! + length;
  return { bytes: Buffer.concat(texts), bounds };
}
