/** A small reproducible random number generator (sfc32). */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(...seed: readonly number[]) {
    let hash = 0x811c9dc5;
    for (const part of seed) hash = Math.imul(hash ^ (part + 0x9e3779b9), 0x01000193) ^ (hash >>> 13);
    this.a = hash | 0;
    this.b = Math.imul(hash, 0x85ebca6b) | 0;
    this.c = Math.imul(hash ^ 0x5bd1e995, 0xc2b2ae35) | 0;
    for (let i = 0; i < 15; i++) this.next();
  }

  /** 0 <= x < 1. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  integer(below: number): number {
    return Math.floor(this.next() * below);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(items.length)]!;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}
