const RECALLS = 101;

/**
 * The mean of the precision at 101 recalls, as COCO's tools have it: at each recall, the highest precision at this recall or a higher one. Of each prediction that
 * found something, by falling confidence, `ranks` has its place among those that count, from 1.
 */
export function meanPrecision(ranks: ArrayLike<number>, truth: number): number {
  const precisions = new Float64Array(ranks.length);
  let highest = 0;
  for (let hit = ranks.length - 1; hit >= 0; hit--)
    precisions[hit] = highest = Math.max(highest, (hit + 1) / ranks[hit]!);
  let [sum, hit] = [0, 0];
  for (let step = 0; step < RECALLS; step++) {
    const recall = step === RECALLS - 1 ? 1 : step * 0.01;
    while (hit < ranks.length && (hit + 1) / truth < recall) hit += 1;
    if (hit === ranks.length) break;
    sum += precisions[hit]!;
  }
  return sum / RECALLS;
}
