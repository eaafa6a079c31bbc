import type { z } from 'zod';
import type { Curves, CutRates } from '../../../common/engine/evaluation/curves';
import { sumOfCounts, type OutcomeCounts } from '../../../common/engine/evaluation/outcome-counts';
import { NONE } from '../../../common/engine/evaluation/outcomes';
import { ratesOf } from '../../../common/engine/evaluation/rates';
import { vqlOfCell } from '../domain/outcome-vql';
import type { AnnotationOutcome, PictureOutcomes } from '../domain/picture-outcomes';
import type { AskedFigures, Counted, LabelledConfusion } from '../evaluation-figures.reader';
import type { confusionResponse, countsResponse, curvesResponse, pictureResponse } from './figures.schemas';

const withRates = ({ tp, fp, fn }: OutcomeCounts) => ({
  tp,
  fp,
  fn,
  ...ratesOf({ hits: tp, mistakes: fp, truth: tp + fn }),
});

export function presentCounts({ confidence, byLabel }: Counted): z.infer<typeof countsResponse> {
  const all = sumOfCounts(byLabel);
  const perClass = byLabel.map((each) => ({ label: each.label, ...withRates(each) }));
  return { confidence, ...withRates(all), kinds: all.mistakes, per_class: perClass };
}

export function presentConfusion(
  { confidence, names, labels, cells, leftOut }: LabelledConfusion,
  asked: AskedFigures,
): z.infer<typeof confusionResponse> {
  const nameOf = (label: number): string | null => (label === NONE ? null : names[label]!);
  return {
    confidence,
    labels: labels.map((label) => names[label]!),
    cells: cells.map((cell) => ({
      truth: nameOf(cell.truth),
      predicted: nameOf(cell.predicted),
      count: cell.count,
      n_media: cell.pictures,
      vql: vqlOfCell(cell, names, { evaluation: asked.evaluationId, confidence: asked.confidence }),
    })),
    n_left_out: leftOut,
  };
}

export function presentCurves({
  precisionRecall,
  f1,
  reliability,
  best,
  forPrecision,
}: Curves): z.infer<typeof curvesResponse> {
  return {
    precision_recall: precisionRecall.map(presentRates),
    f1: f1.map(presentRates),
    reliability: reliability.map(({ predictions: n, ...bin }) => ({ ...bin, n })),
    best: best && presentRates(best),
    ...(forPrecision !== undefined && { for_precision: forPrecision && presentRates(forPrecision) }),
  };
}

const presentRates = ({ confidence, precision, recall, f1 }: CutRates) => ({ confidence, precision, recall, f1 });

const presentOutcome = ({ id, outcome, mistake, iou, partner }: AnnotationOutcome) => ({
  annotation_id: id,
  outcome,
  kind: mistake,
  iou,
  partner_id: partner,
});

export const presentPicture = ({ truth, predictions }: PictureOutcomes): z.infer<typeof pictureResponse> => ({
  truth: truth.map(presentOutcome),
  predictions: predictions.map(presentOutcome),
});
