import { NONE } from '../outcomes';

/** Pairs of predictions and annotations of the truth that cover each other well enough for some threshold. */
export interface Candidates {
  /** By prediction, in falling order of confidence, one more than predictions: where its pairs begin. */
  readonly firsts: Int32Array;
  /** By pair: the annotation of the truth. */
  readonly truth: readonly number[];
  readonly overlaps: readonly number[];
  /** By annotation of the truth: may be found by any number of predictions. */
  readonly crowds: Uint8Array;
}

/**
 * COCO's rule: each prediction, in order of confidence, finds the annotation that it covers best and that none before it has found; one that counts goes before one
 * that does not, and of equals the last. Writes the pair of each prediction.
 */
export function match(
  { firsts, truth, overlaps, crowds }: Candidates,
  counts: Uint8Array,
  threshold: number,
  pairs: Int32Array,
): void {
  const taken = new Uint8Array(crowds.length);
  for (let prediction = 0; prediction < pairs.length; prediction++) {
    let [counted, mostOfCounted, other, mostOfOthers] = [NONE, threshold, NONE, threshold];
    for (let pair = firsts[prediction]!; pair < firsts[prediction + 1]!; pair++) {
      const [place, overlap] = [truth[pair]!, overlaps[pair]!];
      if (taken[place] === 1 && crowds[place] === 0) continue;
      if (counts[place] === 1) {
        if (overlap >= mostOfCounted) [counted, mostOfCounted] = [pair, overlap];
      } else if (overlap >= mostOfOthers) [other, mostOfOthers] = [pair, overlap];
    }
    const best = counted === NONE ? other : counted;
    pairs[prediction] = best;
    if (best !== NONE) taken[truth[best]!] = 1;
  }
}
