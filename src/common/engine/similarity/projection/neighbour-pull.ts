import { sharedFloat32 } from '../../arithmetic/shared-arrays';
import type { TopLists } from '../vectors/top-lists';

/** The smallest spread of distances that counts, so that equally distant neighbours pull equally. */
const LEAST_SPREAD = 1e-6;

/** The pull of each neighbour of each row, 1 in total; the nearest neighbours pull most. */
export function neighbourPull({ keys, scores, length }: TopLists): Float32Array {
  const pull = sharedFloat32(keys.length);
  for (let first = 0; first < keys.length; first += length) {
    let known = 0;
    let far = 0;
    while (known < length && keys[first + known] !== -1) far += scores[first]! - scores[first + known++]!;
    const spread = Math.max(LEAST_SPREAD, far / Math.max(1, known));
    let sum = 0;
    for (let at = first; at < first + known; at++) {
      pull[at] = Math.exp((scores[at]! - scores[first]!) / spread);
      sum += pull[at]!;
    }
    for (let at = first; at < first + known; at++) pull[at]! /= sum;
  }
  return pull;
}
