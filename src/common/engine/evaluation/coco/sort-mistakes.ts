import { codeOf, NONE } from '../outcomes';
import type { MadeOutcomes } from './made-outcomes';
import { confidenceOf, type PictureShapes } from './picture-shapes';

const [WRONG_CLASS, POOR_BOX, BOTH, DOUBLE, BACKGROUND] = (
  ['wrong_class', 'poor_box', 'wrong_class_and_box', 'double', 'background'] as const
).map(codeOf) as [number, number, number, number, number];

/** Less is as good as nothing. */
const LEAST_OVERLAP = 0.1;

interface Best {
  readonly truth: number;
  readonly overlap: number;
}

/** Sorts predictions that found nothing as TIDE does. */
export function sortMistakes(
  made: MadeOutcomes,
  shapes: PictureShapes,
  mistaken: readonly number[],
  { iou, classAgnostic }: { readonly iou: number; readonly classAgnostic: boolean },
): void {
  const counted = [...shapes.truth.keys()].filter((place) => shapes.counts[place] === 1);
  const near = shapes.nearTruth(counted);
  for (const prediction of mistaken) {
    const { label } = shapes.predictions[prediction]!;
    let [same, other, found]: [Best, Best, Best] = [NOTHING, NOTHING, NOTHING];
    const count = near.find(shapes.extents, prediction);
    for (let i = 0; i < count; i++) {
      const truth = counted[near.found[i]!]!;
      const overlap = shapes.overlap(prediction, truth);
      if (!classAgnostic && shapes.truth[truth]!.label !== label) {
        if (overlap > other.overlap) other = { truth, overlap };
        continue;
      }
      if (overlap > same.overlap) same = { truth, overlap };
      if (made.truthPartners[truth] !== NONE && overlap > found.overlap) found = { truth, overlap };
    }
    const mark = (outcome: number, { truth, overlap }: Best): void => made.mark(prediction, outcome, truth, overlap);
    if (same.overlap >= LEAST_OVERLAP && same.overlap < iou) mark(POOR_BOX, same);
    else if (other.overlap >= iou) {
      mark(WRONG_CLASS, other);
      claim(made, shapes, prediction, other.truth);
    } else if (found.overlap >= iou) mark(DOUBLE, found);
    else {
      const best = same.overlap >= other.overlap ? same : other;
      if (best.overlap <= LEAST_OVERLAP) mark(BACKGROUND, NOTHING);
      else mark(BOTH, best);
    }
  }
}

const NOTHING: Best = { truth: NONE, overlap: 0 };

/** Of equals, the first. */
function claim({ truthClaims }: MadeOutcomes, { predictions }: PictureShapes, prediction: number, truth: number): void {
  const before = truthClaims[truth]!;
  if (before === NONE || confidenceOf(predictions[prediction]!) > confidenceOf(predictions[before]!))
    truthClaims[truth] = prediction;
}
