import type { EvaluationOptions } from '../plan';

const STEPS = 10;

/**
 * The area below the precision-recall curve, at each recall with the highest precision at this recall or a higher one; or the mean of this precision at the recalls
 * 0, 0.1 and so on to 1. `found` says of each prediction, by falling confidence, whether it found something.
 */
export function precisionArea(found: Uint8Array, truth: number, points: EvaluationOptions['vocPoints']): number {
  const precisions = highestPrecisions(found);
  return points === 'all' ? areaBelow(precisions, truth) : meanAtSteps(precisions, truth);
}

/** By hit: the highest precision at its recall or a higher one. */
function highestPrecisions(found: Uint8Array): number[] {
  const precisions: number[] = [];
  for (const [at, isFound] of found.entries()) if (isFound === 1) precisions.push((precisions.length + 1) / (at + 1));
  for (let hit = precisions.length - 1; hit > 0; hit--)
    precisions[hit - 1] = Math.max(precisions[hit - 1]!, precisions[hit]!);
  return precisions;
}

const areaBelow = (precisions: readonly number[], truth: number): number =>
  precisions.reduce((sum, precision) => sum + precision, 0) / truth;

function meanAtSteps(precisions: readonly number[], truth: number): number {
  let sum = 0;
  for (let step = 0; step <= STEPS; step++) {
    const hitsNeeded = Math.max(1, Math.ceil((step * truth) / STEPS));
    sum += precisions[hitsNeeded - 1] ?? 0;
  }
  return sum / (STEPS + 1);
}
