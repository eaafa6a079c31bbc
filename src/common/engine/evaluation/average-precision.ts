const RECALLS = 101;

/**
 * The mean of the precision at 101 recalls, as COCO's tools have it: at each recall, the highest precision at this recall or a higher one. `found` says of each
 * prediction, by falling confidence, whether it found something.
 */
export function meanPrecision(found: Uint8Array, truth: number): number {
  const precisions = new Float64Array(found.length);
  let sum = 0;
  for (let at = 0; at < found.length; at++) {
    sum += found[at]!;
    precisions[at] = sum / (at + 1);
  }
  const total = sum;
  for (let at = found.length - 1; at > 0; at--)
    if (precisions[at]! > precisions[at - 1]!) precisions[at - 1] = precisions[at]!;
  let [mean, at, recalled] = [0, 0, found[0] ?? 0];
  for (let step = 0; step < RECALLS; step++) {
    const recall = step === RECALLS - 1 ? 1 : step * 0.01;
    if (total / truth < recall) break;
    while (recalled / truth < recall) recalled += found[++at]!;
    mean += precisions[at] ?? 0;
  }
  return mean / RECALLS;
}
