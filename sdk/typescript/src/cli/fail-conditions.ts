import type { EvaluationDetails } from '../evaluation.js';
import { UsageError } from './exit.js';

/** What `--fail-if` accepts, for the help. */
export const CONDITION_HELP =
  'A CONDITION is FIGURE<NUMBER, also with <=, > or >=. FIGURE is the name of a figure of the evaluation in lower case: map, map50, map75, maps, ar100, precision, recall, f1, accuracy,\n' +
  'kappa, n_truth, cost_missed and so on. label:LABEL.FIGURE is that of a label, such as label:cat.ap50 or label:cat.f1. slice:BY=VALUE.FIGURE is f1, difference (of f1 from the rest), n_media\n' +
  'or n_truth of a slice, such as slice:folder=night.f1; BY is label, tag, folder, field, issue, size, brightness, cluster or batch, and slice:folder=night&label=cat.f1 is one of both. A\n' +
  'condition whose figure is undefined or not there holds, because it shows nothing good.';

const MOST_CHARACTERS = 1000;
const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;
const SUBJECTS = ['label', 'tag', 'folder', 'field', 'issue', 'size', 'brightness', 'cluster', 'batch'] as const;

type Task = EvaluationDetails['task'];
type Protocol = EvaluationDetails['protocol'];
type Comparison = '<' | '<=' | '>' | '>=';

export interface SliceCondition {
  readonly by: (typeof SUBJECTS)[number];
  readonly value: string;
}

export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'slice'; readonly conditions: readonly SliceCondition[] };

export interface FailCondition {
  readonly text: string;
  readonly of: Scope;
  /** In lower case. */
  readonly figure: string;
  readonly comparison: Comparison;
  readonly limit: number;
}

const AVERAGE_PRECISIONS: Readonly<Record<Task, readonly string[]>> = {
  detection: ['ap', 'ap50', 'ap75', 'aps', 'apm', 'apl', 'ar1', 'ar10', 'ar100', 'ars', 'arm', 'arl'],
  segmentation: ['ap', 'ap50', 'ap75', 'aps', 'apm', 'apl', 'ar1', 'ar10', 'ar100', 'ars', 'arm', 'arl'],
  keypoints: ['ap', 'ap50', 'ap75', 'apm', 'apl', 'ar', 'ar50', 'ar75', 'arm', 'arl'],
  classification: [],
};
const KINDS = ['wrong_class', 'poor_box', 'wrong_class_and_box', 'double', 'background', 'missed'];
const OF_SCORES = ['roc_auc', 'average_precision', 'brier', 'ece'];
const AGREEMENT = ['kappa', 'alpha'];
const RATES = ['precision', 'recall', 'f1'];
const TOP = /^top_[1-9]\d{0,3}$/;

/** The names of figures in lower case. */
function figuresOf(kind: Scope['kind'], task: Task, protocol: Protocol): readonly string[] {
  if (kind === 'slice') return ['f1', 'difference', 'n_media', 'n_truth'];
  const counts = ['n_truth', 'n_predictions'];
  if (kind === 'label') {
    const own =
      task === 'classification'
        ? [...OF_SCORES, ...AGREEMENT]
        : protocol === 'coco'
          ? AVERAGE_PRECISIONS[task]
          : ['ap'];
    return [...own, ...RATES, 'best_f1', 'best_confidence', ...counts];
  }
  const both = [...RATES, 'confidence', ...AGREEMENT, 'n_pictures', ...counts];
  if (task === 'classification') return ['accuracy', 'balanced_accuracy', 'top_5', ...OF_SCORES, ...both];
  const own = protocol === 'coco' ? AVERAGE_PRECISIONS[task] : ['map'];
  return [...own, ...both, ...KINDS.map((each) => `cost_${each}`)];
}

/** `map50` is another name of AP50, as `mar100` is of AR100. */
function knownFigure(given: string, known: readonly string[]): string | undefined {
  const name = given.toLowerCase();
  if (known.includes(name) || (known.includes('top_5') && TOP.test(name))) return name;
  return /^ma[pr]/.test(name) && known.includes(name.slice(1)) ? name.slice(1) : undefined;
}

/** Reads a condition of `--fail-if` about an evaluation of this task. */
export function failConditionOf(given: string, task: Task, protocol: Protocol): FailCondition {
  const wrong = (why: string): UsageError => new UsageError(`--fail-if ${JSON.stringify(given.slice(0, 100))}: ${why}`);
  if (given.length > MOST_CHARACTERS) throw wrong(`it has more than ${MOST_CHARACTERS} characters`);
  const text = given.trim();
  const sign = Math.max(text.lastIndexOf('<'), text.lastIndexOf('>'));
  if (sign < 0) throw wrong('it compares nothing; write it as map50<0.6');
  const isOrEqual = text[sign + 1] === '=';
  const number = text.slice(sign + (isOrEqual ? 2 : 1)).trim();
  if (!NUMBER.test(number)) throw wrong(`"${number}" is not a number such as 0.6`);
  const [of, named] = scopeOf(text.slice(0, sign).trim(), wrong);
  const known = figuresOf(of.kind, task, protocol);
  const figure = knownFigure(named, known);
  if (figure === undefined)
    throw wrong(
      `"${named}" is no figure of ${of.kind === 'all' ? `${task} (${protocol})` : `a ${of.kind}`}; it may be ${known.join(', ')}`,
    );
  const comparison = `${text[sign]!}${isOrEqual ? '=' : ''}` as Comparison;
  return { text, of, figure, comparison, limit: Number(number) };
}

/** What is compared, and the name of its figure, which is after the last point: labels and folders have points too. */
function scopeOf(text: string, wrong: (why: string) => UsageError): [Scope, string] {
  const kind = (['label', 'slice'] as const).find((each) => text.startsWith(`${each}:`));
  if (kind === undefined) return [{ kind: 'all' }, text];
  const point = text.lastIndexOf('.');
  const [subject, figure] = [text.slice(kind.length + 1, point), text.slice(point + 1)];
  if (point < 0 || subject === '' || figure === '')
    throw wrong(`a figure is missing; write it as ${kind === 'label' ? 'label:cat.f1' : 'slice:folder=night.f1'}<0.4`);
  if (kind === 'label') return [{ kind, label: subject }, figure];
  return [{ kind, conditions: sliceOf(subject, wrong) }, figure];
}

function sliceOf(text: string, wrong: (why: string) => UsageError): readonly SliceCondition[] {
  // An & within a value separates nothing.
  const parts = text.split(new RegExp(`&(?=(?:${SUBJECTS.join('|')})=)`));
  return parts.map((part) => {
    const by = SUBJECTS.find((each) => part.startsWith(`${each}=`));
    if (by === undefined || part.length === by.length + 1)
      throw wrong(`"${part}" is no part of a slice; write it as folder=night, with one of ${SUBJECTS.join(', ')}`);
    return { by, value: part.slice(by.length + 1) };
  });
}

export interface Verdict {
  readonly condition: FailCondition;
  readonly holds: boolean;
  /** Undefined if the evaluation does not have it. */
  readonly value: number | undefined;
  /** What was found, as a sentence. */
  readonly found: string;
}

const HOLDS: Readonly<Record<Comparison, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
};

/** By the figures of what the condition is about, with their names in lower case; undefined if the evaluation has no such label or slice. */
export function verdictOf(
  condition: FailCondition,
  figures: Readonly<Record<string, number | null | undefined>> | undefined,
): Verdict {
  const { figure, comparison, limit, of } = condition;
  const missing = (found: string): Verdict => ({ condition, holds: true, value: undefined, found });
  if (figures === undefined) return missing(`the evaluation has no such ${of.kind}`);
  const value = figures[figure];
  // As the tools of COCO write it.
  const isUndefined = value === -1 && /^(?:map$|a[pr])/.test(figure);
  if (value === null || value === undefined || isUndefined)
    return missing(`${figure} is undefined: nothing was measured`);
  return { condition, holds: HOLDS[comparison](value, limit), value, found: `${figure} is ${rounded(value)}` };
}

export const rounded = (value: number): string => String(Number(value.toFixed(4)));
