import { sharedInt32 } from '../arithmetic/shared-arrays';

/** Items without their copies, which have the same bytes or an identical embedding. */
export interface DistinctItems {
  readonly count: number;
  /** The first item of each distinct one, ascending. */
  readonly item: Int32Array;
  /** For each item, the index of its distinct one. */
  readonly distinctOf: Int32Array;
}

export function findDistinctItems(vectors: Float32Array, contentGroup: Int32Array, dimension: number): DistinctItems {
  const total = contentGroup.length;
  const words = new Int32Array(vectors.buffer, vectors.byteOffset, total * dimension);
  const item = sharedInt32(total);
  const distinctOf = sharedInt32(total);
  const byGroup = new Map<number, number>();
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(total * 2 + 2))).fill(-1);
  let count = 0;
  for (let i = 0; i < total; i++) {
    const group = contentGroup[i]!;
    let distinct = byGroup.get(group);
    if (distinct === undefined) {
      const slot = slotOf(words, i, dimension, slots, item);
      distinct = slots[slot]!;
      if (distinct === -1) {
        distinct = count++;
        slots[slot] = distinct;
        item[distinct] = i;
      }
      byGroup.set(group, distinct);
    }
    distinctOf[i] = distinct;
  }
  return { count, item: item.subarray(0, count), distinctOf };
}

/** The slot with an equal vector, or the free slot for it. */
function slotOf(words: Int32Array, i: number, dimension: number, slots: Int32Array, item: Int32Array): number {
  const mask = slots.length - 1;
  let slot = hashRow(words, i * dimension, dimension) & mask;
  while (slots[slot] !== -1 && !sameRow(words, i * dimension, item[slots[slot]!]! * dimension, dimension)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

export function hashRow(words: Int32Array, start: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < start + length; at++) {
    hash = Math.imul(hash ^ words[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

function sameRow(words: Int32Array, first: number, second: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (words[first + at] !== words[second + at]) return false;
  return true;
}
