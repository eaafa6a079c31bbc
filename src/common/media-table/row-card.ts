import type { MediaRow } from './media-row';

/** What a preview shows of a row; none of it changes while the table stands. */
export const CARD_FIELDS = [
  'id',
  'parentId',
  'fileName',
  'path',
  'source',
  'width',
  'height',
  'thumbnailKey',
  'box',
  'frameTimestamp',
  'caption',
] as const satisfies readonly (keyof MediaRow)[];

export type CardField = (typeof CARD_FIELDS)[number];
export type Card = Pick<MediaRow, CardField>;

/**
 * A second copy of these properties in one column: rows picked from all over a table cost by the column,
 * so nine hundred previews take a fifth of the time from here.
 */
export const CARD_COLUMN = 'card';

export const writeCard = (row: MediaRow): string => JSON.stringify(CARD_FIELDS.map((field) => row[field]));

export function readCard(text: string): Card {
  const values = JSON.parse(text) as unknown[];
  return Object.fromEntries(CARD_FIELDS.map((field, i) => [field, values[i]])) as unknown as Card;
}

export const isCardField = (field: keyof MediaRow): field is CardField =>
  (CARD_FIELDS as readonly (keyof MediaRow)[]).includes(field);
