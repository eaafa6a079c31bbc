import { readCard, type Card } from '../../common/engine/media-table/row-card';

/** Cards as they are stored, one after the other. */
export interface CardTexts {
  readonly bytes: Uint8Array;
  /** Card i is at bounds[i] to bounds[i + 1]. */
  readonly bounds: Int32Array;
}

export const NO_CARDS: CardTexts = { bytes: new Uint8Array(0), bounds: Int32Array.of(0) };

export function cardsOf({ bytes, bounds }: CardTexts): Card[] {
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bounds.length - 1 }, (_, at) =>
    readCard(texts.toString('utf8', bounds[at], bounds[at + 1])),
  );
}
