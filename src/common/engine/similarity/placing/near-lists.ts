import { sharedFloat32, sharedInt32 } from '../../arithmetic/shared-arrays';

/**
 * For each row the best `length` vectors so far, best first; equal scores by ascending hash. Equal vectors have equal scores and hashes,
 * and occur once, under their lowest key, so that the order of arrival does not matter.
 */
export interface NearLists {
  readonly length: number;
  readonly keys: Int32Array;
  readonly scores: Float32Array;
  readonly hashes: Int32Array;
}

const NONE = -1;

export function allocateNearLists(rows: number, length: number): NearLists {
  return {
    length,
    keys: sharedInt32(rows * length).fill(NONE),
    scores: sharedFloat32(rows * length).fill(-Infinity),
    hashes: sharedInt32(rows * length),
  };
}

/** `score` must be representable in 32 bits. */
export function offerNear(lists: NearLists, row: number, key: number, score: number, hash: number): void {
  const { keys, scores, hashes, length } = lists;
  const first = row * length;
  const isBefore = (at: number): boolean => score > scores[at]! || (score === scores[at] && hash < hashes[at]!);
  let place = first;
  while (place < first + length && keys[place] !== NONE && !isBefore(place)) {
    if (score === scores[place] && hash === hashes[place]) {
      keys[place] = Math.min(keys[place]!, key);
      return;
    }
    place += 1;
  }
  if (place === first + length) return;
  keys.copyWithin(place + 1, place, first + length - 1);
  scores.copyWithin(place + 1, place, first + length - 1);
  hashes.copyWithin(place + 1, place, first + length - 1);
  keys[place] = key;
  scores[place] = score;
  hashes[place] = hash;
}

/** Merges the lists of several threads. */
export function mergeNearLists(parts: readonly NearLists[]): NearLists {
  const [whole, ...others] = parts;
  for (const { keys, scores, hashes, length } of others) {
    for (let at = 0; at < keys.length; at++) {
      if (keys[at] !== NONE) offerNear(whole!, Math.floor(at / length), keys[at]!, scores[at]!, hashes[at]!);
    }
  }
  return whole!;
}
