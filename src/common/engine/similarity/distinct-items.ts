import { sharedInt32 } from '../arithmetic/shared-arrays';

/** Items without their copies. Copies have the same bytes or an identical embedding. */
export interface DistinctItems {
  readonly count: number;
  /** For each distinct item, the first item that it stands for. */
  readonly item: Int32Array;
  /** For each item, the index of its distinct item. */
  readonly distinctOf: Int32Array;
  /** The distinct items whose vector is zero. */
  readonly zeros: ReadonlySet<number>;
}

/** Access to the vectors of items, as the bits of their numbers. */
export interface ItemWords {
  /** Must be called in ascending order; the result is valid until the next call. */
  next(item: number): Int32Array;
  /** The result is valid until the next call. */
  other(item: number): Int32Array;
}

const NONE = -1;
const SIGN = 0x80000000;

export function findDistinctItems(vectors: Float32Array, contentGroup: Int32Array, dimension: number): DistinctItems {
  const words = new Int32Array(vectors.buffer, vectors.byteOffset, contentGroup.length * dimension);
  const at = (item: number): Int32Array => words.subarray(item * dimension, (item + 1) * dimension);
  return distinctAmong({ next: at, other: at }, contentGroup);
}

/** Items are numbered by their first occurrence. */
export function distinctAmong(words: ItemWords, contentGroup: Int32Array): DistinctItems {
  const total = contentGroup.length;
  const item = sharedInt32(total);
  const distinctOf = sharedInt32(total);
  const byGroup = new Int32Array(groupCount(contentGroup)).fill(NONE);
  const table = new RowTable(words, item, total);
  const zeros = new Set<number>();
  let count = 0;
  for (let i = 0; i < total; i++) {
    const group = contentGroup[i]!;
    let distinct = byGroup[group]!;
    if (distinct === NONE) {
      const row = words.next(i);
      distinct = table.findOrAdd(row, count);
      if (distinct === count) {
        if (row.every((word) => word === 0 || word === SIGN >> 0)) zeros.add(count);
        item[count++] = i;
      }
      byGroup[group] = distinct;
    }
    distinctOf[i] = distinct;
  }
  return { count, item: item.subarray(0, count), distinctOf, zeros };
}

/** Returns the same items with the distinct ones in another order. */
export function renumbered({ count, item, distinctOf, zeros }: DistinctItems, order: Int32Array): DistinctItems {
  const rank = new Int32Array(count);
  order.forEach((former, row) => (rank[former] = row));
  const moved = sharedInt32(count);
  for (let row = 0; row < count; row++) moved[row] = item[order[row]!]!;
  const numberOf = sharedInt32(distinctOf.length);
  for (let at = 0; at < distinctOf.length; at++) numberOf[at] = rank[distinctOf[at]!]!;
  return { count, item: moved, distinctOf: numberOf, zeros: new Set([...zeros].map((row) => rank[row]!)) };
}

/** One more than the largest number of a group. */
export function groupCount(contentGroup: Int32Array): number {
  let most = -1;
  for (const group of contentGroup) if (group > most) most = group;
  return most + 1;
}

/** Finds equal rows by their hashes; only rows with equal ones are compared. */
class RowTable {
  private readonly slots: Int32Array;
  private readonly hashes: Int32Array;

  constructor(
    private readonly words: ItemWords,
    private readonly item: Int32Array,
    total: number,
  ) {
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(total * 2 + 2))).fill(NONE);
    this.hashes = new Int32Array(total);
  }

  /** Returns the number of an equal row, or adds the row under `number` and returns that. */
  findOrAdd(row: Int32Array, number: number): number {
    const { slots, hashes, words, item } = this;
    const mask = slots.length - 1;
    const hash = hashRow(row, 0, row.length) | 0;
    let slot = hash & mask;
    for (; slots[slot] !== NONE; slot = (slot + 1) & mask) {
      const known = slots[slot]!;
      if (hashes[known] === hash && sameRow(row, words.other(item[known]!))) return known;
    }
    slots[slot] = number;
    hashes[number] = hash;
    return number;
  }
}

export function hashRow(words: Int32Array, start: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < start + length; at++) {
    hash = Math.imul(hash ^ words[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

function sameRow(first: Int32Array, second: Int32Array): boolean {
  for (let at = 0; at < first.length; at++) if (first[at] !== second[at]) return false;
  return true;
}
