import type { Collected } from '../collected';
import { codeOf, NONE, type OutcomeColumns } from '../outcomes';
import type { EvaluationOptions } from '../plan';
import { IS_SCORE, IS_TRUE } from './label-matcher';

export type LabelMode = NonNullable<EvaluationOptions['labels']>;

const [IGNORED, TP, WRONG_CLASS] = [codeOf('ignored'), codeOf('tp'), codeOf('wrong_class')];

/** Whether pictures have one label or several, as it was asked or as the truth has them. */
export function labelModeOf({ labels }: EvaluationOptions, columns: OutcomeColumns): LabelMode {
  if (labels !== undefined) return labels;
  const { truthFirsts } = columns;
  for (let picture = 0; picture < truthFirsts.length - 1; picture++)
    if (placesThatCount(columns, picture).length > 1) return 'multi';
  return 'single';
}

function placesThatCount({ truthFirsts, truthCounts }: OutcomeColumns, picture: number): number[] {
  const places: number[] = [];
  for (let place = truthFirsts[picture]!; place < truthFirsts[picture + 1]!; place++)
    if (truthCounts[place] === 1) places.push(place);
  return places;
}

/** Where each picture has one label: only the prediction with the highest confidence counts, and only in pictures whose label is known. */
export function settleSingleLabels(collected: Collected): void {
  const { columns } = collected;
  for (let picture = 0; picture < columns.truthFirsts.length - 1; picture++) {
    const [truth = NONE, ...others] = placesThatCount(columns, picture);
    for (const place of others) {
      columns.truthCounts[place] = 0;
      columns.truthPartners[place] = NONE;
    }
    settlePicture(collected, picture, truth);
  }
}

function settlePicture({ columns, predictionBits }: Collected, picture: number, truth: number): void {
  const { predictionFirsts, predictionLabels, confidences, outcomes, partners, ious } = columns;
  let best = NONE;
  for (let place = predictionFirsts[picture]!; place < predictionFirsts[picture + 1]!; place++) {
    outcomes[place] = IGNORED;
    partners[place] = NONE;
    ious[place] = 0;
    if (truth === NONE) predictionBits[place] = 0;
    if (predictionBits[place] === 0) continue;
    predictionBits[place] = IS_SCORE | (predictionLabels[place] === columns.truthLabels[truth] ? IS_TRUE : 0);
    if (best === NONE || confidences[place]! > confidences[best]!) best = place;
  }
  if (truth === NONE) return;
  columns.truthPartners[truth] = NONE;
  if (best === NONE) return;
  const isRight = (predictionBits[best]! & IS_TRUE) !== 0;
  outcomes[best] = isRight ? TP : WRONG_CLASS;
  partners[best] = truth;
  ious[best] = 1;
  (isRight ? columns.truthPartners : columns.truthClaims)[truth] = best;
}
