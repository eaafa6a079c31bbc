import { share } from '../rates';

/** How sure a label is in so many pictures, the surest first, and in how many it is true. Others have the confidence 0. */
export interface Scores {
  readonly confidences: Float64Array;
  readonly isTrue: Uint8Array;
  readonly truth: number;
  readonly pictures: number;
}

/** The chance that a picture with the label has a higher confidence than one without; of equal confidences, half. Null if all or none have it. */
export function rocAucOf(scores: Scores): number | null {
  const { truth, pictures } = scores;
  let [pairs, others] = [0, 0];
  eachConfidence(scores, (hits, mistakes) => {
    pairs += hits * (pictures - truth - others - mistakes / 2);
    others += mistakes;
  });
  return share(pairs, truth * (pictures - truth));
}

/** The mean of the precisions at each confidence, weighted by the recall that it adds. Null if no picture has the label. */
export function averagePrecisionOf(scores: Scores): number | null {
  let [sum, found, seen] = [0, 0, 0];
  eachConfidence(scores, (hits, mistakes) => {
    found += hits;
    seen += hits + mistakes;
    sum += (hits * found) / seen;
  });
  return share(sum, scores.truth);
}

/** The mean of the squared differences of confidences from what is true. Null without pictures. */
export function brierOf({ confidences, isTrue, truth, pictures }: Scores): number | null {
  let [sum, left] = [0, truth];
  for (const [at, confidence] of confidences.entries()) {
    sum += (confidence - isTrue[at]!) ** 2;
    left -= isTrue[at]!;
  }
  return share(sum + left, pictures);
}

/** Visits each different confidence, the highest first and 0 at last, with the pictures that have the label and those that do not. */
function eachConfidence(
  { confidences, isTrue, truth, pictures }: Scores,
  visit: (hits: number, mistakes: number) => void,
): void {
  let [hits, mistakes, allHits] = [0, 0, 0];
  let at = 0;
  for (; at < confidences.length && confidences[at]! > 0; at++) {
    if (at > 0 && confidences[at] !== confidences[at - 1]) {
      visit(hits, mistakes);
      [hits, mistakes] = [0, 0];
    }
    if (isTrue[at] === 1) hits++;
    else mistakes++;
    allHits += isTrue[at]!;
  }
  if (at > 0) visit(hits, mistakes);
  const [left, leftTrue] = [pictures - at, truth - allHits];
  if (left > 0) visit(leftTrue, left - leftTrue);
}
