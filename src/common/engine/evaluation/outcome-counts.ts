import { MISTAKE_OF, MISTAKES, OUTCOME_OF, visitCounted, type Cuts, type Mistake } from './counted-outcomes';
import type { Outcomes } from './outcomes';

export interface LabelOutcomes {
  readonly label: string;
  /** Annotations that were found. */
  readonly tp: number;
  /** Predictions that are right; as many as `tp` unless labels may differ. */
  readonly right: number;
  readonly fp: number;
  readonly fn: number;
}

export interface OutcomeCounts {
  /** Of wrong predictions, and annotations without a prediction of another label over them. */
  readonly mistakes: Readonly<Record<Mistake, number>>;
  /** Of each label with any, in the order of labels. */
  readonly byLabel: readonly LabelOutcomes[];
}

/** By label: tp, right, fp and fn. */
const WIDTH = 4;

export async function countOutcomes(outcomes: Outcomes, cuts: Cuts): Promise<OutcomeCounts> {
  const { columns, labels } = outcomes;
  const { truthLabels, predictionLabels } = columns;
  const counts = new Int32Array(WIDTH * labels.length);
  const events = new Int32Array(OUTCOME_OF.length);
  await visitCounted(outcomes, cuts, (event, _, truth, prediction) => {
    events[event]!++;
    const outcome = OUTCOME_OF[event];
    if (outcome === 'fn') counts[WIDTH * truthLabels[truth]! + 3]!++;
    else if (outcome === 'fp') counts[WIDTH * predictionLabels[prediction]! + 2]!++;
    else {
      counts[WIDTH * truthLabels[truth]!]!++;
      counts[WIDTH * predictionLabels[prediction]! + 1]!++;
    }
  });
  const byLabel = labels.flatMap((label, at): LabelOutcomes[] => {
    const [tp = 0, right = 0, fp = 0, fn = 0] = counts.subarray(WIDTH * at, WIDTH * (at + 1));
    return tp + right + fp + fn === 0 ? [] : [{ label, tp, right, fp, fn }];
  });
  // The first is that of predictions, if there is also one of annotations that were not found.
  const mistakes = Object.fromEntries(MISTAKES.map((mistake) => [mistake, events[MISTAKE_OF.indexOf(mistake)]!]));
  return { mistakes: mistakes as Record<Mistake, number>, byLabel };
}
