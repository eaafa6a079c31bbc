import type { ConfusionCell } from '../../../common/engine/evaluation/confusion';
import { MISTAKES, type Mistake } from '../../../common/engine/evaluation/counted-outcomes';
import { NONE } from '../../../common/engine/evaluation/outcomes';

/** Predictions that are not over an annotation of another label. */
const OF_BACKGROUND: readonly Mistake[] = MISTAKES.filter(
  (mistake) => mistake !== 'wrong_class' && mistake !== 'missed',
);

/** The filters that find the pictures of a cell. */
export function vqlOfCell(
  { truth, predicted, outcomes }: ConfusionCell,
  labels: readonly string[],
  asked: { readonly evaluation: string; readonly confidence: number | undefined },
): Record<string, unknown>[] {
  const kind: readonly Mistake[] = predicted === NONE ? ['missed'] : truth === NONE ? OF_BACKGROUND : ['wrong_class'];
  return [
    {
      evaluation: {
        op: 'is',
        value: outcomes,
        evaluation: asked.evaluation,
        ...(truth !== NONE && { label: labels[truth] }),
        ...(predicted !== NONE && { predicted: labels[predicted] }),
        ...(outcomes.some((outcome) => outcome !== 'tp') && { kind }),
        ...(asked.confidence !== undefined && { confidence: asked.confidence }),
      },
    },
  ];
}
