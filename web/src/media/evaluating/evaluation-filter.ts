import type { VqlFilter } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import type { Kind, Outcome } from './evaluation';

const { filter: words, outcomes: names, kinds: kindNames } = texts.evaluate;

type Asked = NonNullable<VqlFilter['evaluation']>;

/** Media with annotations of an outcome in an evaluation. */
export interface EvaluationFilter {
  /** The id of the evaluation. */
  readonly evaluation: string;
  readonly outcomes: readonly Outcome[];
  readonly kinds?: readonly Kind[] | undefined;
  /** Of the truth. */
  readonly labels?: readonly string[] | undefined;
  /** Of the prediction. */
  readonly predicted?: readonly string[] | undefined;
  /** From the least to the most. */
  readonly iou?: readonly number[] | undefined;
  /** The least confidence of predictions that count; undefined for that of the evaluation. */
  readonly confidence?: number | undefined;
  readonly betterIn?: string | undefined;
}

export function vqlOf({ outcomes: value, kinds, evaluation, betterIn, ...rest }: EvaluationFilter): VqlFilter {
  const { labels, predicted, iou, confidence } = rest;
  return {
    evaluation: {
      op: 'is',
      value: [...value],
      evaluation,
      ...(labels !== undefined && { label: [...labels] }),
      ...(predicted !== undefined && { predicted: [...predicted] }),
      ...(kinds !== undefined && { kind: [...kinds] }),
      ...(iou !== undefined && { iou: [...iou] }),
      ...(confidence !== undefined && { confidence }),
      ...(betterIn !== undefined && { better_in: betterIn }),
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** VQL takes a text for a list of one. Undefined of anything but texts. */
function textsIn(value: unknown): readonly string[] | undefined {
  if (isText(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isText) ? value : undefined;
}

/** Undefined of other filters. People may have written it themselves, in any shape. */
export function evaluationFilterOf(filter: object): EvaluationFilter | undefined {
  const [[key, inner] = ['', undefined], ...more] = Object.entries(filter as Readonly<Record<string, unknown>>);
  if (key !== 'evaluation' || more.length > 0 || typeof inner !== 'object' || inner === null) return undefined;
  const { value, kind, evaluation, label, predicted, ...rest } = inner as Readonly<Record<string, unknown>>;
  const { iou, confidence, better_in: betterIn } = rest as Pick<Asked, 'iou' | 'confidence' | 'better_in'>;
  const outcomes = textsIn(value) as EvaluationFilter['outcomes'] | undefined;
  if (outcomes === undefined || !isText(evaluation)) return undefined;
  const kinds = textsIn(kind) as EvaluationFilter['kinds'];
  const labels = { labels: textsIn(label), predicted: textsIn(predicted) };
  return { evaluation, outcomes, kinds, ...labels, iou, confidence, betterIn };
}

/** The first one says which evaluation the media are looked at with. */
export const evaluationIn = (filters: readonly VqlFilter[]): EvaluationFilter | undefined =>
  filters.map(evaluationFilterOf).find((filter) => filter !== undefined);

const isOf = (filter: VqlFilter, evaluation: string): boolean => evaluationFilterOf(filter)?.evaluation === evaluation;

export const withoutEvaluation = (filters: readonly VqlFilter[], evaluation: string): readonly VqlFilter[] =>
  filters.filter((filter) => !isOf(filter, evaluation));

/** Looks at media with an outcome too, or no more. Filters of other evaluations stay, and what else the filter asks for goes. */
export function toggledOutcome(
  filters: readonly VqlFilter[],
  evaluation: string,
  outcome: Outcome,
): readonly VqlFilter[] {
  const found = filters.filter((filter) => isOf(filter, evaluation)).map(evaluationFilterOf)[0];
  const before = found?.outcomes ?? [];
  const outcomes = before.includes(outcome) ? before.filter((each) => each !== outcome) : [...before, outcome];
  const changed = outcomes.length === 0 ? [] : [vqlOf({ evaluation, outcomes, confidence: found?.confidence })];
  return [...withoutEvaluation(filters, evaluation), ...changed];
}

const NAMES: Readonly<Record<string, string>> = { ...names, ...kindNames };
const inWords = (all: readonly string[]): string =>
  all.map((each) => NAMES[each]?.toLowerCase() ?? each).join(words.or);

/** `name` is that of the evaluation, if it is known. */
export function evaluationFilterText(filter: EvaluationFilter, name: string | undefined): string {
  const { outcomes: wanted, kinds, labels, predicted, iou, confidence, betterIn } = filter;
  const what = [
    inWords(kinds ?? wanted),
    ...(labels === undefined ? [] : [words.label(labels.join(words.or))]),
    ...(predicted === undefined ? [] : [words.predicted(predicted.join(words.or))]),
    ...(iou === undefined ? [] : [words.iou(iou)]),
    ...(confidence === undefined ? [] : [words.confidence(confidence)]),
    ...(betterIn === undefined ? [] : [words.betterIn]),
  ];
  return `${words.name(name)}: ${what.join(', ')}`;
}
