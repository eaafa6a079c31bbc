import { BadRequestError } from '../../../common/platform/errors/domain-error';
import type { ComparedFigure } from '../../../common/engine/evaluation/slices/compare-slices';
import { SIZE_BOUNDS, SIZES } from '../../../common/engine/evaluation/slices/slice-units';
import type { Evaluation } from './evaluation';

export const SLICED_BY = [
  'label',
  'size',
  'tag',
  'folder',
  'field',
  'issue',
  'brightness',
  'cluster',
  'batch',
] as const;
/** What a condition of a slice is about. */
export type SlicedBy = (typeof SLICED_BY)[number];

/** A condition on the objects or the pictures of a slice. */
export interface SliceCondition {
  readonly by: SlicedBy;
  /** The label, the id or whatever else it is about; of a number between two bounds, both. */
  readonly value: string;
  /** For people. */
  readonly name: string;
  /** That finds the pictures; null of labels and sizes of objects, which outcomes tell. */
  readonly vql: object | null;
}

/** Objects of pictures that fulfil all conditions. */
export interface ConditionedSlice {
  readonly conditions: readonly SliceCondition[];
  readonly pictures: number;
  /** Annotations of the truth that count. */
  readonly truth: number;
  readonly figure: number;
  /** The figure that it is compared with: that of everything else, or of another evaluation. */
  readonly rest: number;
  /** Of the difference between both, at 95 %. */
  readonly interval: readonly [low: number, high: number];
  /** The chance that it is as much worse without a reason. */
  readonly chance: number;
}

export interface EvaluatedSlice extends ConditionedSlice {
  /** Whether it is worse beyond chance. */
  readonly isFound: boolean;
}

/** F1 at the confidence of the evaluation. */
export interface EvaluatedSlices {
  /** Of everything; null without annotations and predictions. */
  readonly figure: number | null;
  /** Those that are worse than the rest, the worst first, and then the others of one condition. */
  readonly slices: readonly EvaluatedSlice[];
}

export type ComparedFigures = readonly ComparedFigure[];

export class OtherTruthError extends BadRequestError {
  constructor(first: string, second: string) {
    super(
      `The truth of one evaluation is ${first}, and of the other ${second}. Compare evaluations with the same truth.`,
    );
  }
}

export class OtherTaskError extends BadRequestError {
  constructor(first: string, second: string) {
    super(`The task of one evaluation is ${first}, and of the other ${second}. Compare evaluations of the same task.`);
  }
}

export class SameEvaluationError extends BadRequestError {
  constructor() {
    super('An evaluation cannot be compared with itself. Choose another one.');
  }
}

export function assertComparable(first: Evaluation, second: Evaluation): void {
  if (first.id === second.id) throw new SameEvaluationError();
  if (first.truth !== second.truth) throw new OtherTruthError(first.truth, second.truth);
  if (first.task !== second.task) throw new OtherTaskError(first.task, second.task);
}

/** Areas of a size, both included: the largest number of 32 bits below a bound is still below it. */
const AREAS: Readonly<Record<string, readonly [number, number]>> = {
  [SIZES[0]]: [0, below(SIZE_BOUNDS[0])],
  [SIZES[1]]: [SIZE_BOUNDS[0], below(SIZE_BOUNDS[1])],
  [SIZES[2]]: [SIZE_BOUNDS[1], Number.MAX_SAFE_INTEGER],
};

function below(bound: number): number {
  return bound * (1 - 2 ** -25);
}

/** A search for the pictures in which one of the evaluations has an object of the slice. */
export function vqlOfSlice(evaluations: readonly string[], conditions: readonly SliceCondition[]): readonly object[] {
  const valueOf = (by: SlicedBy): string | undefined => conditions.find((each) => each.by === by)?.value;
  const [label, size] = [valueOf('label'), valueOf('size')];
  const area = size === undefined ? {} : { area: AREAS[size] };
  const objects = evaluations.flatMap((evaluation) => {
    const found = (value: readonly string[], labels: object): object => ({
      evaluation: { op: 'is', evaluation, value, ...labels, ...area },
    });
    if (label === undefined) return [found(['tp', 'fp', 'fn'], {})];
    // A mistaken prediction belongs to its own label.
    return [found(['tp', 'fn'], { label: [label] }), found(['fp'], { predicted: [label] })];
  });
  return [objects.length === 1 ? objects[0]! : { or: objects }, ...conditions.flatMap(({ vql }) => vql ?? [])];
}
