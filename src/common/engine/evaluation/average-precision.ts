const RECALLS = 101;

/**
 * The mean of the precision at 101 recalls, as COCO's tools have it: at each recall, the highest precision at this recall or a higher one. Of each prediction that
 * found something, by falling confidence, `ranks` has its place among those that count, from 1.
 */
export function meanPrecision(ranks: ArrayLike<number>, truth: number): number {
  let [sum, highest, hits] = [0, 0, ranks.length];
  for (let step = RECALLS - 1; step >= 0; step--) {
    const recall = step === RECALLS - 1 ? 1 : step * 0.01;
    for (; hits > 0 && hits / truth >= recall; hits--) highest = Math.max(highest, hits / ranks[hits - 1]!);
    sum += highest;
  }
  return sum / RECALLS;
}
