const SLOTS = 1024;

/** A set of at most some hundred numbers that can be cleared in constant time. */
export class FewNumbers {
  private readonly numbers = new Int32Array(SLOTS);
  private readonly turns = new Int32Array(SLOTS);
  private turn = 1;

  clear(): void {
    this.turn += 1;
  }

  /** Returns false if the number was present. */
  add(number: number): boolean {
    const slot = this.slotOf(number);
    if (this.turns[slot] === this.turn) return false;
    this.numbers[slot] = number;
    this.turns[slot] = this.turn;
    return true;
  }

  has(number: number): boolean {
    return this.turns[this.slotOf(number)] === this.turn;
  }

  /** The slot with the number, or the free slot for it. */
  private slotOf(number: number): number {
    let slot = Math.imul(number, 0x9e3779b1) >>> 22;
    while (this.turns[slot] === this.turn && this.numbers[slot] !== number) slot = (slot + 1) % SLOTS;
    return slot;
  }
}
