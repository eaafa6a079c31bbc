import type { MediaRow } from './media-row';

/** In the order of the first cards, for good: tables stay as they were written. */
const FIRST_FIELDS = [
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

/** What is new comes last; cards that were written before lack it, and `readCard` says what they are read as. */
const LATER_FIELDS = [] as const satisfies readonly (keyof MediaRow)[];

/** What a preview shows of a row; none of it changes while the table stands. */
export const CARD_FIELDS = [...FIRST_FIELDS, ...LATER_FIELDS] as const;

export type CardField = (typeof CARD_FIELDS)[number];
export type Card = Pick<MediaRow, CardField>;
type ValuesOf<F extends readonly CardField[]> = { [I in keyof F]: Card[F[I]] };
type WrittenCard = readonly [...ValuesOf<typeof FIRST_FIELDS>, ...Partial<ValuesOf<typeof LATER_FIELDS>>];

/**
 * A second copy of these properties in one column: rows picked from all over a table cost by the column,
 * so nine hundred previews take a fifth of the time from here.
 */
export const CARD_COLUMN = 'card';

export const writeCard = (row: MediaRow): string => JSON.stringify(CARD_FIELDS.map((field) => row[field]));

export function readCard(text: string): Card {
  const [id, parentId, fileName, path, source, width, height, thumbnailKey, box, frameTimestamp, caption] = JSON.parse(
    text,
  ) as WrittenCard;
  return { id, parentId, fileName, path, source, width, height, thumbnailKey, box, frameTimestamp, caption };
}

export const isCardField = (field: keyof MediaRow): field is CardField =>
  (CARD_FIELDS as readonly (keyof MediaRow)[]).includes(field);
