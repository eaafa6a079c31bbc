import type { EvaluationOptions } from '../plan';

const STEPS = 10;

/**
 * The area below the precision-recall curve, at each recall with the highest precision at this recall or a higher one; or the mean of this precision at the recalls
 * 0, 0.1 and so on to 1. Of each prediction that found something, by falling confidence, `ranks` has its place among those that count, from 1.
 */
export const precisionArea = (
  ranks: ArrayLike<number>,
  truth: number,
  points: EvaluationOptions['vocPoints'],
): number => (points === 'all' ? areaBelow(ranks, truth) : meanAtSteps(ranks, truth));

function areaBelow(ranks: ArrayLike<number>, truth: number): number {
  let [sum, highest] = [0, 0];
  for (let hits = ranks.length; hits > 0; hits--) {
    highest = Math.max(highest, hits / ranks[hits - 1]!);
    sum += highest;
  }
  return sum / truth;
}

function meanAtSteps(ranks: ArrayLike<number>, truth: number): number {
  let [sum, highest, hits] = [0, 0, ranks.length];
  for (let step = STEPS; step >= 0; step--) {
    const needed = Math.max(1, Math.ceil((step * truth) / STEPS));
    for (; hits >= needed; hits--) highest = Math.max(highest, hits / ranks[hits - 1]!);
    sum += highest;
  }
  return sum / (STEPS + 1);
}
