import { hash } from 'node:crypto';

const FIRST_CAPACITY = 1024;

/** A set of keys, by 64 bits of their hash: 16 to 32 MB for a million. */
export class SeenKeys {
  /** Zero marks a free slot. */
  private places = new BigUint64Array(FIRST_CAPACITY);
  private count = 0;

  addIfNew(key: string): boolean {
    const print = hash('sha256', key, 'buffer').readBigUInt64LE(0) || 1n;
    if (!put(this.places, print)) return false;
    this.count += 1;
    if (this.count > this.places.length / 2) this.grow();
    return true;
  }

  private grow(): void {
    const grown = new BigUint64Array(this.places.length * 2);
    for (const print of this.places) if (print !== 0n) put(grown, print);
    this.places = grown;
  }
}

function put(places: BigUint64Array, print: bigint): boolean {
  const mask = places.length - 1;
  let at = Number(print & 0xffffffffn) & mask;
  while (places[at] !== 0n) {
    if (places[at] === print) return false;
    at = (at + 1) & mask;
  }
  places[at] = print;
  return true;
}
