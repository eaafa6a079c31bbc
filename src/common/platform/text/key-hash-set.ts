import { hash } from 'node:crypto';

const SHARDS = 256;
const FIRST_CAPACITY = 16;
const NUMBER_BYTES = 8;

/** 64-bit numbers in a sorted array. New numbers are appended, and sorted at the next lookup. */
class Shard {
  private values = new BigUint64Array(FIRST_CAPACITY);
  private length = 0;
  private isSorted = true;

  add(value: bigint): void {
    if (this.length === this.values.length) this.makeRoom();
    this.values[this.length] = value;
    this.length += 1;
    this.isSorted = false;
  }

  has(value: bigint): boolean {
    this.sort();
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low < this.length && this.values[low] === value;
  }

  addAll(values: BigUint64Array): void {
    const merged = new BigUint64Array(this.length + values.length);
    merged.set(this.sorted());
    merged.set(values, this.length);
    [this.values, this.length, this.isSorted] = [merged, merged.length, false];
  }

  sorted(): BigUint64Array {
    this.sort();
    return this.values.subarray(0, this.length);
  }

  private makeRoom(): void {
    this.sort();
    if (this.length <= this.values.length / 2) return;
    const grown = new BigUint64Array(this.values.length * 2);
    grown.set(this.values);
    this.values = grown;
  }

  private sort(): void {
    if (this.isSorted) return;
    const sorted = this.values.subarray(0, this.length).sort();
    let kept = 0;
    for (const value of sorted) {
      if (kept === 0 || sorted[kept - 1] !== value) sorted[kept++] = value;
    }
    this.length = kept;
    this.isSorted = true;
  }
}

/**
 * A set of keys, stored as 64-bit hashes: 8 to 16 MB for a million keys. It may have false positives but no false negatives. Sharded, so that sorting
 * does not block the event loop for long.
 */
export class KeyHashSet {
  private readonly shards = Array.from({ length: SHARDS }, () => new Shard());

  add(key: string): void {
    const digest = hash('sha256', key, 'buffer');
    this.shards[digest[0]!]!.add(digest.readBigUInt64LE(8));
  }

  addAll(other: KeyHashSet): void {
    other.shards.forEach((shard, at) => this.shards[at]!.addAll(shard.sorted()));
  }

  /** The lengths of the shards, followed by their numbers. */
  toBytes(): Uint8Array {
    const shards = this.shards.map((shard) => shard.sorted());
    const head = BigUint64Array.from(shards, ({ length }) => BigInt(length));
    return Buffer.concat(
      [head, ...shards].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    );
  }

  /** Undefined if the bytes are not a valid set. */
  static fromBytes(bytes: Uint8Array): KeyHashSet | undefined {
    if (bytes.length < SHARDS * NUMBER_BYTES || bytes.length % NUMBER_BYTES !== 0) return undefined;
    const numbers = new BigUint64Array(Uint8Array.from(bytes).buffer);
    const lengths = Array.from(numbers.subarray(0, SHARDS), Number);
    if (lengths.reduce((sum, length) => sum + length, SHARDS) !== numbers.length) return undefined;
    const set = new KeyHashSet();
    let at = SHARDS;
    lengths.forEach((length, shard) => {
      set.shards[shard]!.addAll(numbers.subarray(at, (at += length)));
    });
    return set;
  }

  has(key: string): boolean {
    const digest = hash('sha256', key, 'buffer');
    return this.shards[digest[0]!]!.has(digest.readBigUInt64LE(8));
  }
}
