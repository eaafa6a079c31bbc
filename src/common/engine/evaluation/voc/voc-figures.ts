import { countedIn, type Collected, type Unit } from '../collected';
import type { Figures } from '../evaluation-result';
import { codeOf } from '../outcomes';
import type { EvaluationOptions } from '../plan';
import { meanOf } from '../rates';
import { precisionArea } from './precision-area';

const [IGNORED, FOUND] = [codeOf('ignored'), codeOf('tp')];

export function vocFiguresOf({ columns }: Collected, unit: Unit, points: EvaluationOptions['vocPoints']): Figures {
  const counting = unit.predictions.filter((place) => columns.outcomes[place] !== IGNORED);
  const found = Uint8Array.from(counting, (place) => (columns.outcomes[place] === FOUND ? 1 : 0));
  return precisionFigure(found, countedIn(columns, unit), points);
}

export const precisionFigure = (found: Uint8Array, truth: number, points: EvaluationOptions['vocPoints']): Figures => ({
  AP: truth === 0 ? null : precisionArea(found, truth, points),
});

/** The mean over labels that have truth. */
export function meanPrecisionFigure(ofLabels: readonly Figures[]): Figures {
  return { mAP: meanOf(ofLabels.map((figures) => figures['AP'] ?? null)) };
}
