import { inSlices } from './in-slices';

const BUCKETS = 65_536;

export interface LowestScores {
  /** How many scores are finite. */
  readonly finite: number;
  /** At least `wanted` scores lie at or below it, and few more than those. */
  readonly bound: number;
}

/** Where the `wanted` lowest scores end, by counting them into buckets: no sorting of all. */
export async function lowestScores(scores: Float32Array, wanted: number): Promise<LowestScores> {
  let finite = 0;
  let lowest = Infinity;
  let highest = -Infinity;
  await inSlices(scores.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const score = scores[i]!;
      if (score === Infinity) continue;
      finite++;
      if (score < lowest) lowest = score;
      if (score > highest) highest = score;
    }
  });
  if (finite <= wanted || lowest === highest) return { finite, bound: highest };
  const counts = new Int32Array(BUCKETS);
  const scale = (BUCKETS - 1) / (highest - lowest);
  await inSlices(scores.length, (start, end) => {
    for (let i = start; i < end; i++) {
      if (scores[i]! !== Infinity) counts[Math.floor((scores[i]! - lowest) * scale)]!++;
    }
  });
  let bucket = 0;
  for (let below = counts[0]!; below < wanted; below += counts[bucket]!) bucket++;
  return { finite, bound: lowest + (bucket + 1.01) / scale };
}
