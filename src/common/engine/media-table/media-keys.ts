const WORDS = 4;

/** Map from 128-bit ids to rows: 24 to 32 bytes a row. */
export class MediaKeys {
  private readonly keys: Uint32Array;
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(rows: number) {
    this.keys = new Uint32Array(rows * WORDS);
    const slots = 2 ** Math.ceil(Math.log2(Math.max(2, rows * 1.5)));
    this.slots = new Int32Array(slots).fill(-1);
    this.mask = slots - 1;
  }

  set(row: number, keys: Uint32Array, at: number): void {
    for (let word = 0; word < WORDS; word++) this.keys[row * WORDS + word] = keys[at + word]!;
    let slot = this.slotOf(keys, at);
    while (this.slots[slot]! >= 0) slot = (slot + 1) & this.mask;
    this.slots[slot] = row;
  }

  /** -1 if no row has the key. */
  find(keys: Uint32Array, at: number): number {
    for (let slot = this.slotOf(keys, at); ; slot = (slot + 1) & this.mask) {
      const row = this.slots[slot]!;
      if (row < 0 || this.isAt(row, keys, at)) return row;
    }
  }

  private isAt(row: number, keys: Uint32Array, at: number): boolean {
    const start = row * WORDS;
    return (
      this.keys[start] === keys[at] &&
      this.keys[start + 1] === keys[at + 1] &&
      this.keys[start + 2] === keys[at + 2] &&
      this.keys[start + 3] === keys[at + 3]
    );
  }

  private slotOf(keys: Uint32Array, at: number): number {
    let bits = keys[at]! ^ keys[at + 3]! ^ Math.imul(keys[at + 1]! ^ keys[at + 2]!, 0x9e3779b1);
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    return (bits ^ (bits >>> 13)) & this.mask;
  }
}
