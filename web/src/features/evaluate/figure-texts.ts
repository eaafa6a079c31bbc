import type { Evaluation } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { formatDecimal } from '../../texts/format';

const { figures: words } = texts.evaluate;
const DIGITS = 3;
const TOP_K = /^top_(\d+)$/;

export type Metrics = NonNullable<Evaluation['metrics']>;

/** Of figures that have 0 as the best value. */
const LOWER_IS_BETTER: ReadonlySet<string> = new Set(['brier', 'ece']);
/** Which may be negative; others are -1 where COCO has none. */
const SIGNED: ReadonlySet<string> = new Set(['kappa', 'alpha']);

export function figureName(name: string): string {
  const k = TOP_K.exec(name)?.[1];
  return words.names[name] ?? (k === undefined ? name : words.topK(k));
}

/** Null where there is none. */
export function figureOf(metrics: Metrics | null, name: string): number | null {
  const value = metrics?.[name];
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

export interface ShownFigure {
  readonly name: string;
  readonly value: number | null;
  /** Since the run before; null without one. */
  readonly difference: number | null;
  readonly change: Change;
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

/** The figures, without the confidence, which is no quality. */
export function shownFigures({ metrics, previous_metrics: before }: Pick<Evaluation, 'metrics' | 'previous_metrics'>) {
  return ordered(Object.keys(metrics ?? {}))
    .filter((name) => name !== 'confidence')
    .map((name): ShownFigure => {
      const [value, previous] = [figureOf(metrics, name), figureOf(before, name)];
      const difference = value === null || previous === null ? null : value - previous;
      return { name, value, difference, change: changeOf(name, difference) };
    });
}

const MAIN = ['AP', 'mAP', 'accuracy', 'average_precision'];

/** The figure that stands for the others. */
export const mainFigure = (metrics: Metrics | null): string | undefined =>
  MAIN.find((name) => figureOf(metrics, name) !== null);
