import type { Annotation } from '../../src/common/engine/annotations/annotation';
import type { Collected } from '../../src/common/engine/evaluation/collected';
import { comparePicture } from '../../src/common/engine/evaluation/compare-picture';
import { ColumnsBuilder } from '../../src/common/engine/evaluation/columns-builder';
import type { EvaluationResult } from '../../src/common/engine/evaluation/evaluation-result';
import { joined } from '../../src/common/engine/evaluation/join-parts';
import { ALL, measureUnit, resultOf } from '../../src/common/engine/evaluation/measure';
import { PREDICTION_OUTCOMES, type PredictionOutcome } from '../../src/common/engine/evaluation/outcomes';
import type { EvaluationPlan } from '../../src/common/engine/evaluation/plan';
import { pictureId } from './coco-sets';
import { rulesOf } from '../../src/common/engine/evaluation/rules-of';
import { SampledMeans } from '../../src/common/engine/evaluation/samples/sampled-means';

export type GivenAnnotation = Omit<Annotation, 'id' | 'version'>;

export interface GivenPicture {
  readonly truth: readonly GivenAnnotation[];
  readonly predictions: readonly GivenAnnotation[];
}

const SIDE = 1000;

const stored = (letter: string, given: readonly GivenAnnotation[]): Annotation[] =>
  given.map((annotation, at) => ({ ...annotation, id: `${letter}${at}`, version: 1 }));

/** What threads do, in this one. Pictures are ranked as they are given. */
export function evaluatePictures(
  plan: EvaluationPlan,
  pictures: readonly GivenPicture[],
): Omit<EvaluationResult, 'outcomes'> & { readonly collected: Collected } {
  const rules = rulesOf(plan);
  const builder = new ColumnsBuilder(rules.words);
  for (const [rank, picture] of pictures.entries()) {
    const [truth, predictions] = [stored('t', picture.truth), stored('p', picture.predictions)];
    const described = { id: pictureId(rank + 1), rank, width: SIDE, height: SIDE };
    comparePicture(plan, rules, builder, described, truth, predictions);
  }
  const collected = joined([builder.build()], rules.words);
  rules.settle?.(collected);
  const means = new SampledMeans();
  const all = measureUnit(plan, rules, collected, ALL, means);
  const ofLabels = collected.labels.map((_, label) => measureUnit(plan, rules, collected, label, means));
  return { collected, ...resultOf(plan, rules, collected, all, ofLabels, means) };
}

/** Of the predictions, as they were given. */
export const outcomesOf = ({ columns }: Collected): PredictionOutcome[] =>
  Array.from(columns.outcomes, (code) => PREDICTION_OUTCOMES[code]!);
