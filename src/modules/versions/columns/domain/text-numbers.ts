import type { EncodedTexts } from '../../../../common/engine/media-table/column-data';

const SLOTS = 2 ** 12;

/** A text found by its bytes. */
interface Slot {
  readonly bytes: Uint8Array;
  readonly number: number;
}

/** Numbers texts in the order in which they first come. */
export class TextNumbers {
  readonly numbers: Map<string, number>;
  /** Texts that came last, each where the hash of its bytes says: to find it there takes a fifth of decoding it and asking the map. */
  private readonly slots: (Slot | undefined)[] = new Array<undefined>(SLOTS).fill(undefined);

  constructor(before?: ReadonlyMap<string, number>) {
    this.numbers = new Map(before);
  }

  of(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.numbers.size);
    return this.numbers.size - 1;
  }

  /** Of the text at a place in encoded ones. */
  ofEncoded({ bytes, bounds }: EncodedTexts, place: number, textAt: (place: number) => string): number {
    const start = bounds[place]!;
    const end = bounds[place + 1]!;
    const at = slotOf(bytes, start, end);
    const slot = this.slots[at];
    if (slot !== undefined && isAt(slot.bytes, bytes, start, end)) return slot.number;
    const number = this.of(textAt(place));
    this.slots[at] = { bytes: bytes.slice(start, end), number };
    return number;
  }
}

/** By FNV-1a. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function isAt(text: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[start + i]) return false;
  return true;
}
