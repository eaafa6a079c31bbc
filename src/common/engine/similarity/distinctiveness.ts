import { sharedFloat32 } from '../arithmetic/shared-arrays';

const OUTLIER_SHARE = 0.05;
const BELOW_HALF = 0.5 - 2 ** -25;

/**
 * 0 for items with a twin, 1 for the most distinctive item: the geometric mean of the distance to the nearest other item and the mean distance to the
 * nearest few, relative to the largest such value in the dataset.
 */
export function uniquenessScores(nearest: Float32Array, meanOfFew: Float32Array): Float32Array {
  const scores = sharedFloat32(nearest.length);
  let most = 0;
  for (let item = 0; item < nearest.length; item++) {
    const score = distinctiveness(nearest[item]!, meanOfFew[item]!);
    scores[item] = score;
    most = Math.max(most, scores[item]!);
  }
  if (most > 0) for (let item = 0; item < scores.length; item++) scores[item]! /= most;
  return scores;
}

/** The score before division by the largest one. */
export const distinctiveness = (nearest: number, meanOfFew: number): number =>
  Math.sqrt(Math.max(0, 1 - nearest) * Math.max(0, 1 - meanOfFew));

/** The highest similarity that at most 5 % of the items do not exceed; undefined if there is no such item. */
export function outlierCut(nearest: Float32Array): number | undefined {
  const allowed = Math.floor(nearest.length * OUTLIER_SHARE);
  const rising = nearest.slice().sort();
  for (let at = allowed - 1; at >= 0; at--) if (rising[at]! < rising[at + 1]!) return rising[at]!;
  return undefined;
}

/** Rises with the distance to the nearest other: exactly 0.5 at the cut, and below that for all items if there is no cut. */
export function outlierConfidences(nearest: Float32Array): Float32Array {
  const cut = outlierCut(nearest);
  const confidences = sharedFloat32(nearest.length);
  if (nearest.length < 2) return confidences;
  const farthest = 1 - nearest.reduce((least, similarity) => Math.min(least, similarity), 1);
  const half = cut === undefined ? 2 * farthest : 1 - cut;
  for (let item = 0; item < nearest.length; item++) confidences[item] = outlierConfidence(1 - nearest[item]!, half);
  return confidences;
}

/** Computed from the distance to the nearest other and the distance at which the confidence is 0.5. */
export function outlierConfidence(distance: number, half: number): number {
  const confidence = distance === 0 ? 0 : distance / (distance + half);
  return distance < half ? Math.min(confidence, BELOW_HALF) : confidence;
}
