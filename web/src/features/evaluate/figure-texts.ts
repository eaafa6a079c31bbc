import type { Evaluation, EvaluationTask } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { formatDecimal } from '../../texts/format';

const { figures: words } = texts.evaluate;
const DIGITS = 3;
const TOP_K = /^top_(\d+)$/;

/** Of figures that have 0 as the best value. */
export const LOWER_IS_BETTER: ReadonlySet<string> = new Set(['brier', 'ece']);
/** Which may be negative; others are -1 where COCO has none. */
const SIGNED: ReadonlySet<string> = new Set(['kappa', 'alpha']);

/** Points are compared by OKS. */
export function figureName(name: string, task?: EvaluationTask): string {
  const k = TOP_K.exec(name)?.[1];
  const ofPoints = task === 'keypoints' ? words.ofKeypoints[name] : undefined;
  return ofPoints ?? words.names[name] ?? (k === undefined ? name : words.topK(k));
}

/** Where pictures have several labels, all of them must be right; precision, recall and F1 are means of labels. */
function nameOf(name: string, { task, metrics, options }: NamedBy): string {
  if (name === 'mAP') return words.mapAt(formatDecimal(options.iou));
  if (task !== 'classification') return figureName(name, task);
  if (name === 'accuracy' && metrics?.['balanced_accuracy'] === undefined) return words.exactMatch;
  return words.ofLabels[name] ?? figureName(name);
}

type NamedBy = Pick<Evaluation, 'task' | 'metrics' | 'options'>;

/** Null where there is none. */
export function figureOf(
  figures: Readonly<Record<string, number | string | null>> | null,
  name: string,
): number | null {
  const value = figures?.[name];
  if (typeof value !== 'number') return null;
  return value < 0 && !SIGNED.has(name) ? null : value;
}

export const figureText = (value: number | null): string =>
  value === null ? words.unknown : formatDecimal(value, DIGITS);

const MINUS = '−';

export function differenceText(difference: number): string {
  const text = formatDecimal(Math.abs(difference), DIGITS);
  return `${difference < 0 ? MINUS : '+'}${text}`;
}

export type Change = 'better' | 'worse' | 'same';

export interface FigureChange {
  /** Since the run before; null without one. */
  readonly difference: number | null;
  readonly change: Change;
}

export interface ShownFigure extends FigureChange {
  readonly key: string;
  readonly name: string;
  readonly value: number | null;
}

const LEAST_DIFFERENCE = 0.0005;

export function changeOf(name: string, difference: number | null): Change {
  if (difference === null || Math.abs(difference) < LEAST_DIFFERENCE) return 'same';
  return difference > 0 !== LOWER_IS_BETTER.has(name) ? 'better' : 'worse';
}

const ORDER = Object.keys(words.names);

/** Those of top k are together; figures that the console does not know come last. */
function placeOf(name: string): number {
  const place = ORDER.indexOf(TOP_K.test(name) ? 'top_k' : name);
  return place < 0 ? ORDER.length : place;
}

/** In the usual order. */
export const ordered = (names: readonly string[]): readonly string[] =>
  names.toSorted((one, other) => placeOf(one) - placeOf(other));

/** No quality by itself. */
const CUT = 'confidence';
const AT_CUT: ReadonlySet<string> = new Set(['precision', 'recall', 'f1']);
/** Of labels of pictures: they mean nothing where predictions have no confidences. */
export const BY_CONFIDENCE: ReadonlySet<string> = new Set([
  ...['roc_auc', 'average_precision', 'brier', 'ece', 'best_confidence', 'best_f1'],
]);

/** Whether a figure is one of a task. Of shapes, those at a confidence are shown beside the counts. */
const isShown = (task: EvaluationTask, name: string, hasConfidences: boolean): boolean =>
  name !== CUT &&
  (task === 'classification' ? hasConfidences || !(BY_CONFIDENCE.has(name) || TOP_K.test(name)) : !AT_CUT.has(name));

/** Whether a figure tells which of two evaluations is better. */
export const isCompared = (name: string): boolean => name !== CUT;

export type Measured = NamedBy & Pick<Evaluation, 'previous_metrics'>;

export function changeSince({ metrics, previous_metrics: before }: Measured, name: string): FigureChange {
  const [value, previous] = [figureOf(metrics, name), figureOf(before, name)];
  const difference = value === null || previous === null ? null : value - previous;
  return { difference, change: changeOf(name, difference) };
}

export const shownFigures = (evaluation: Measured, hasConfidences: boolean): readonly ShownFigure[] =>
  ordered(Object.keys(evaluation.metrics ?? {}))
    .filter((name) => isShown(evaluation.task, name, hasConfidences))
    .map((name) => ({
      ...{ key: name, name: nameOf(name, evaluation), value: figureOf(evaluation.metrics, name) },
      ...changeSince(evaluation, name),
    }));

const MAIN = ['AP', 'mAP', 'accuracy', 'average_precision'];

/** The figure that stands for the others. */
export function mainFigure(evaluation: NamedBy): Pick<ShownFigure, 'name' | 'value'> | undefined {
  const name = MAIN.find((each) => figureOf(evaluation.metrics, each) !== null);
  return name === undefined ? undefined : { name: nameOf(name, evaluation), value: figureOf(evaluation.metrics, name) };
}
