import type { LabelFigures } from '../../../common/engine/evaluation/evaluation-result';

/** A response has them all. */
export const MOST_LABELS = 10_000;

/** Those with the most annotations, in the order that they have. */
export function largestLabels(labels: readonly LabelFigures[], most = MOST_LABELS): LabelFigures[] {
  if (labels.length <= most) return [...labels];
  const sizeOf = ({ truth, predictions }: LabelFigures): number => truth + predictions;
  const kept = new Set([...labels].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, most));
  return labels.filter((label) => kept.has(label));
}
