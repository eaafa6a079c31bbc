import { MAX_COSINE } from '../assemble-structure';
import type { FoundNeighbours } from './found-neighbours';
import type { Pairs } from './placement';
import { SAME_BYTES, SAME_VECTOR } from '../similarity-structure';

/** Pairs of two fresh items, and pairs of content copies among items that repeat the vector of a known item. */
export function pairsAmong({ fresh, structure }: FoundNeighbours): Pairs {
  const pairs = new GrowingPairs();
  const { first, second, cosine } = structure.edges;
  for (let at = 0; at < first.length; at++) pairs.add(fresh.item[first[at]!]!, fresh.item[second[at]!]!, cosine[at]!);
  const firstOfContent = new Map<number, number>();
  fresh.twin.forEach((twin, item) => {
    if (twin === -1 || fresh.added.knownCopy[item] !== -1) return;
    const original = firstOfContent.get(fresh.added.contentGroup[item]!);
    if (original === undefined) firstOfContent.set(fresh.added.contentGroup[item]!, item);
    else pairs.add(original, item, SAME_BYTES);
  });
  return pairs.done();
}

/**
 * Pairs of each new item with the known item that it repeats, or otherwise with known items near to it: the nearest known items of each new item, and
 * the nearest new items of each known one. A near pair is missing only if both items already have the maximum number of nearer neighbours.
 */
export function pairsToKnown({ fresh, neighbours }: FoundNeighbours, keptFrom: number): Pairs {
  const pairs = new GrowingPairs();
  const contents = new Set<number>();
  fresh.twin.forEach((twin, item) => {
    const copy = fresh.added.knownCopy[item]!;
    if (copy !== -1) pairs.add(item, copy, SAME_BYTES);
    else if (twin !== -1 && !contents.has(fresh.added.contentGroup[item]!)) {
      contents.add(fresh.added.contentGroup[item]!);
      pairs.add(item, twin, SAME_VECTOR);
    }
  });
  const say = (row: number, ordinal: number, cosine: number): void => {
    const item = fresh.firstOf[row]!;
    if (cosine >= keptFrom && fresh.twin[item] === -1) pairs.add(item, ordinal, Math.min(cosine, MAX_COSINE));
  };
  const { keys, scores, length } = neighbours.nearest;
  const names = (row: number, ordinal: number): boolean => {
    for (let at = row * length; at < (row + 1) * length; at++) if (keys[at] === ordinal) return true;
    return false;
  };
  for (let at = 0; at < fresh.measureRow * length; at++)
    if (keys[at] !== -1) say(Math.floor(at / length), keys[at]!, scores[at]!);
  const { named } = neighbours;
  for (let at = 0; at < named.length; at++) {
    const row = named.added[at]!;
    if (!names(row, named.ordinal[at]!)) say(row, named.ordinal[at]!, named.cosine[at]!);
  }
  return pairs.done();
}

class GrowingPairs {
  private readonly first: number[] = [];
  private readonly second: number[] = [];
  private readonly cosine: number[] = [];

  add(first: number, second: number, cosine: number): void {
    this.first.push(first);
    this.second.push(second);
    this.cosine.push(cosine);
  }

  done(): Pairs {
    return {
      first: Int32Array.from(this.first),
      second: Int32Array.from(this.second),
      cosine: Float32Array.from(this.cosine),
    };
  }
}
