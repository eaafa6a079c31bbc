import type { MediaRow } from './media-row';

/** The order of the first release. Must not be changed, because existing tables use it. */
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

/** New fields are added at the end; `readCard` gives them a default in older cards. */
const LATER_FIELDS = ['generatedCaption'] as const satisfies readonly (keyof MediaRow)[];

/** The fields for previews, which do not change during the lifetime of the table. */
export const CARD_FIELDS = [...FIRST_FIELDS, ...LATER_FIELDS] as const;

export type CardField = (typeof CARD_FIELDS)[number];
export type Card = Pick<MediaRow, CardField>;
type ValuesOf<F extends readonly CardField[]> = { [I in keyof F]: Card[F[I]] };
type WrittenCard = readonly [...ValuesOf<typeof FIRST_FIELDS>, ...Partial<ValuesOf<typeof LATER_FIELDS>>];

/**
 * A copy of these properties in one column. The cost of reading scattered rows depends on the number of columns, so nine hundred previews
 * take a fifth of the time from cards.
 */
export const CARD_COLUMN = 'card';

export const writeCard = (row: Card): string => JSON.stringify(CARD_FIELDS.map((field) => row[field]));

export function readCard(text: string): Card {
  const [
    id,
    parentId,
    fileName,
    path,
    source,
    width,
    height,
    thumbnailKey,
    box,
    frameTimestamp,
    caption,
    generatedCaption = null,
  ] = JSON.parse(text) as WrittenCard;
  return {
    id,
    parentId,
    fileName,
    path,
    source,
    width,
    height,
    thumbnailKey,
    box,
    frameTimestamp,
    caption,
    generatedCaption,
  };
}

export const isCardField = (field: keyof MediaRow): field is CardField =>
  (CARD_FIELDS as readonly (keyof MediaRow)[]).includes(field);

/** Cards in stored form, consecutively. */
export interface CardTexts {
  readonly bytes: Uint8Array;
  /** Card i is at bounds[i] to bounds[i + 1]. */
  readonly bounds: Int32Array;
}

export const NO_CARDS: CardTexts = { bytes: new Uint8Array(0), bounds: Int32Array.of(0) };

/** Each card is parsed once, when it is first asked for. */
export function cardReader({ bytes, bounds }: CardTexts): (at: number) => Card {
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cards: Card[] = [];
  return (at) => (cards[at] ??= readCard(texts.toString('utf8', bounds[at], bounds[at + 1])));
}
