import { MISTAKE_OF, MISTAKES, OUTCOME_OF, visitCounted, type Cuts, type Mistake } from './counted-outcomes';
import type { Outcomes } from './outcomes';

export interface OutcomeCounts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  /** Of wrong predictions, and annotations without a prediction of another label over them. */
  readonly mistakes: Readonly<Record<Mistake, number>>;
}

export interface LabelOutcomes extends OutcomeCounts {
  readonly label: string;
}

/** Of each label with outcomes, in the order of labels. What is found belongs to the label of the annotation, a mistake to its own. */
export async function countOutcomes(outcomes: Outcomes, cuts: Cuts): Promise<LabelOutcomes[]> {
  const { columns, labels } = outcomes;
  const { truthLabels, predictionLabels } = columns;
  const width = OUTCOME_OF.length;
  const counts = new Int32Array(width * labels.length);
  await visitCounted(outcomes, cuts, (event, _, truth, prediction) => {
    const label = OUTCOME_OF[event] === 'fp' ? predictionLabels[prediction]! : truthLabels[truth]!;
    counts[width * label + event]!++;
  });
  return labels.flatMap((label, at) => {
    const ofLabel = counts.subarray(width * at, width * (at + 1));
    return ofLabel.some((count) => count > 0) ? [{ label, ...countsOf(ofLabel) }] : [];
  });
}

function countsOf(events: Int32Array): OutcomeCounts {
  const counts = { tp: 0, fp: 0, fn: 0 };
  for (const [event, count] of events.entries()) counts[OUTCOME_OF[event]!] += count;
  // The first is that of predictions, where annotations that were not found have one too.
  const mistakes = MISTAKES.map((mistake) => [mistake, events[MISTAKE_OF.indexOf(mistake)]!]);
  return { ...counts, mistakes: Object.fromEntries(mistakes) as OutcomeCounts['mistakes'] };
}

export function sumOfCounts(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = (of: (each: OutcomeCounts) => number): number => all.reduce((total, each) => total + of(each), 0);
  const mistakes = MISTAKES.map((mistake) => [mistake, sum((each) => each.mistakes[mistake])]);
  return {
    tp: sum(({ tp }) => tp),
    fp: sum(({ fp }) => fp),
    fn: sum(({ fn }) => fn),
    mistakes: Object.fromEntries(mistakes) as OutcomeCounts['mistakes'],
  };
}
