import { CocoMatcher } from './coco/coco-matcher';
import { CocoFigures } from './coco/coco-figures';
import type { Collected, Unit } from './collected';
import type { Figures } from './evaluation-result';
import type { PictureMatcher } from './picture-matcher';
import type { EvaluationPlan } from './plan';

/** What a protocol says of pictures, and of all of them together. Each thread has its own. */
export interface ProtocolRules {
  readonly matcher: PictureMatcher;
  /** Words of `predictionBits` for each prediction. */
  readonly words: number;
  /** Of a label, or of all if labels do not matter. */
  ofUnit(collected: Collected, unit: Unit): Figures;
  /** Of the whole, in the order in which they are shown. */
  overall(ofUnits: readonly Figures[], collected: Collected): Figures;
}

export function rulesOf(plan: EvaluationPlan): ProtocolRules {
  const figures = new CocoFigures(plan);
  return {
    matcher: new CocoMatcher(plan),
    words: figures.words,
    ofUnit: (collected, unit) => figures.ofUnit(collected, unit),
    overall: (ofUnits) => figures.overall(ofUnits),
  };
}
