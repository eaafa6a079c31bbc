import { ClassificationRules } from './classification/classification-rules';
import { CocoFigures } from './coco/coco-figures';
import { CocoMatcher } from './coco/coco-matcher';
import { EvaluationError } from './evaluation-error';
import { OpenImagesFigures } from './open-images/open-images-figures';
import { OpenImagesMatcher } from './open-images/open-images-matcher';
import type { EvaluationPlan } from './plan';
import type { ProtocolRules } from './protocol-rules';
import { meanPrecisionFigure, precisionFigure, rankedUnit, samplePrecisions } from './voc/voc-figures';
import { VocMatcher } from './voc/voc-matcher';

/** Throws an EvaluationError if the plan fits no protocol. */
export function rulesOf(plan: EvaluationPlan): ProtocolRules {
  if (plan.task === 'classification') return new ClassificationRules(plan);
  if (plan.protocol === 'coco') return cocoRules(plan);
  if (plan.task === 'keypoints')
    throw new EvaluationError(`Keypoints are compared by the protocol "coco", not "${plan.protocol}"`);
  return plan.protocol === 'voc' ? vocRules(plan) : openImagesRules(plan);
}

function cocoRules(plan: EvaluationPlan): ProtocolRules {
  const figures = new CocoFigures(plan);
  return {
    matcher: new CocoMatcher(plan),
    words: figures.words,
    ofUnit: (collected, unit) => figures.ofUnit(collected, unit),
    overall: (ofUnits) => figures.overall(ofUnits),
    sample: (collected, unit, samples, means) => figures.sample(collected, unit, samples, means),
  };
}

const vocRules = (plan: EvaluationPlan): ProtocolRules => ({
  matcher: new VocMatcher(plan),
  words: 0,
  ofUnit: (collected, unit) => precisionFigure(rankedUnit(collected, unit), plan.options.vocPoints),
  overall: meanPrecisionFigure,
  sample: (collected, unit, samples, means) =>
    samplePrecisions(rankedUnit(collected, unit), plan.options.vocPoints, samples, means),
});

function openImagesRules(plan: EvaluationPlan): ProtocolRules {
  const figures = new OpenImagesFigures(plan);
  return {
    matcher: new OpenImagesMatcher(plan),
    words: 1,
    ofUnit: (collected, unit) => figures.ofUnit(collected, unit),
    overall: (ofUnits, collected) => figures.overall(ofUnits, collected),
    sample: (collected, unit, samples, means) => figures.sample(collected, unit, samples, means),
    sampleOverall: (collected, _, samples, means) => figures.sampleOverall(collected, samples, means),
  };
}
