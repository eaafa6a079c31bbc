import { NEAR_DUPLICATES } from '../../../common/engine/similarity/near-duplicates';
import type { Ladder } from '../../../common/engine/similarity/placing/placement';

/** The thresholds of the built-in model, of which two pictures have a cosine of about 0 on average. */
const BETWEEN_UNRELATED_AND_SAME = [0.9, 0.8, 0.73, 0.66, 0.58] as const;
/** So that thresholds stay apart, whatever the vectors are. */
const HIGHEST_MEAN = 0.98;

/** The thresholds of vectors that came without any: those of the built-in model, on the scale from the mean cosine of two vectors to 1. */
export function defaultLadder(meanCosine: number): Ladder {
  const [a, b, c, d, e] = BETWEEN_UNRELATED_AND_SAME.map((part) => between(meanCosine, part));
  return [a!, b!, c!, d!, e!];
}

/** The cosine of near duplicates, in the same way. */
export const defaultNearDuplicates = (meanCosine: number): number => between(meanCosine, NEAR_DUPLICATES);

function between(meanCosine: number, part: number): number {
  const unrelated = Math.min(Math.max(meanCosine, 0), HIGHEST_MEAN);
  return unrelated + (1 - unrelated) * part;
}

/** Of all pairs of vectors, without comparing any: the length of a sum has all their cosines in it. */
export class MeanCosine {
  private readonly sum: Float64Array;
  private count = 0;

  constructor(private readonly dimension: number) {
    this.sum = new Float64Array(dimension);
  }

  /** Unit vectors, one after the other. */
  add(vectors: Float32Array): void {
    const { sum, dimension } = this;
    for (let at = 0; at < vectors.length; at += dimension)
      for (let i = 0; i < dimension; i++) sum[i]! += vectors[at + i]!;
    this.count += vectors.length / dimension;
  }

  value(): number {
    const { count } = this;
    if (count < 2) return 0;
    const square = this.sum.reduce((total, value) => total + value * value, 0);
    return (square - count) / (count * (count - 1));
  }
}
