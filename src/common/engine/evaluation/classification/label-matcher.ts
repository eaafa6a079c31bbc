import { shapeKindOf, type Annotation } from '../../annotations/annotation';
import { codeOf, NONE } from '../outcomes';
import type { PictureMatcher, PictureOutcomes, PictureSize } from '../picture-matcher';

/** Bits of a prediction: whether it is the highest of its label in its picture, and whether its label is true. */
export const IS_SCORE = 1;
export const IS_TRUE = 2;

const [IGNORED, TP, BACKGROUND] = [codeOf('ignored'), codeOf('tp'), codeOf('background')];
const WHOLE = 1;

/** Compares the labels of whole pictures, of which any number may be true. Shapes do not count. */
export class LabelMatcher implements PictureMatcher {
  compare(_: PictureSize, truth: readonly Annotation[], predictions: readonly Annotation[]): PictureOutcomes {
    const made = {
      truthAreas: new Float64Array(truth.length).fill(NaN),
      truthCounts: new Uint8Array(truth.length),
      truthPartners: new Int32Array(truth.length).fill(NONE),
      truthClaims: new Int32Array(truth.length).fill(NONE),
      predictionAreas: new Float64Array(predictions.length).fill(NaN),
      outcomes: new Uint8Array(predictions.length).fill(IGNORED),
      partners: new Int32Array(predictions.length).fill(NONE),
      ious: new Float64Array(predictions.length),
      predictionBits: new Uint32Array(predictions.length),
    };
    const places = placesOfLabels(truth);
    for (const place of places.values()) made.truthCounts[place] = countsAs(truth[place]!);
    for (const [label, place] of placesOfLabels(predictions)) {
      const partner = places.get(label) ?? NONE;
      if (partner === NONE) {
        made.outcomes[place] = BACKGROUND;
        made.predictionBits[place] = IS_SCORE;
        continue;
      }
      made.partners[place] = partner;
      made.ious[place] = WHOLE;
      if (made.truthCounts[partner] === 0) continue;
      made.outcomes[place] = TP;
      made.truthPartners[partner] = place;
      made.predictionBits[place] = IS_SCORE | IS_TRUE;
    }
    return made;
  }
}

const countsAs = ({ crowd, ignored }: Annotation): 0 | 1 => (crowd === true || ignored === true ? 0 : 1);

/** Of annotations with the same label, that which counts, then that with the highest confidence, then the first. */
function placesOfLabels(annotations: readonly Annotation[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, annotation] of annotations.entries()) {
    if (shapeKindOf(annotation) !== 'label') continue;
    const before = places.get(annotation.label);
    if (before === undefined || isAhead(annotation, annotations[before]!)) places.set(annotation.label, place);
  }
  return places;
}

function isAhead(one: Annotation, other: Annotation): boolean {
  const counts = countsAs(one) - countsAs(other);
  return counts > 0 || (counts === 0 && (one.confidence ?? 1) > (other.confidence ?? 1));
}
