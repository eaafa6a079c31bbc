import { hash } from 'node:crypto';

const KEY_BYTES = 16;
const KEY_WORDS = 4;
const NONE = -1;

/** Numbers contents by their SHA-256, of which 128 bits are kept: 24 to 32 bytes a content instead of a string and an entry of a map. */
export class ContentNumbers {
  private readonly key = Buffer.alloc(KEY_BYTES);
  private readonly words = new Uint32Array(this.key.buffer, this.key.byteOffset, KEY_WORDS);
  private readonly keys: Uint32Array;
  private readonly slots: Int32Array;
  private count = 0;

  constructor(capacity: number) {
    this.keys = new Uint32Array(capacity * KEY_WORDS);
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 1.5 + 2))).fill(NONE);
  }

  /** From 0 without gaps, in the order of their first occurrence. */
  numberOf(sha256: string): number {
    if (sha256.length < 2 * KEY_BYTES || this.key.write(sha256, 0, KEY_BYTES, 'hex') < KEY_BYTES)
      hash('sha256', sha256, 'buffer').copy(this.key, 0, 0, KEY_BYTES);
    const { slots, words, keys } = this;
    const mask = slots.length - 1;
    let slot = words[0]! & mask;
    for (; slots[slot] !== NONE; slot = (slot + 1) & mask) if (this.isAt(slots[slot]!)) return slots[slot]!;
    keys.set(words, this.count * KEY_WORDS);
    slots[slot] = this.count;
    this.count += 1;
    return this.count - 1;
  }

  private isAt(number: number): boolean {
    const { words, keys } = this;
    for (let word = 0; word < KEY_WORDS; word++) if (keys[number * KEY_WORDS + word] !== words[word]) return false;
    return true;
  }
}
