import type { EvaluatedState } from './evaluated-state';
import { BadRequestError, ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { DatasetStatusError, type Dataset, type DatasetPointer } from '../../datasets';
import type { Task } from '../../tasks';
import type { Cuts } from '../../../common/engine/evaluation/counted-outcomes';
import type { Figures } from '../../../common/engine/evaluation/evaluation-result';
import type { EvaluationOptions, EvaluationTask, Protocol } from '../../../common/engine/evaluation/plan';

export const MAX_EVALUATIONS = 1_000;

export const COMPARED_PICTURES = ['all', 'with_truth'] as const;
export type ComparedPictures = (typeof COMPARED_PICTURES)[number];

/** What is compared, and how. */
export interface AskedEvaluation {
  readonly name: string;
  /** The source that is right. */
  readonly truth: string;
  /** The source that is measured. */
  readonly predictions: string;
  readonly task: EvaluationTask;
  readonly protocol: Protocol;
  readonly options: EvaluationOptions;
  /** `with_truth`: only those about which the truth says something. */
  readonly pictures: ComparedPictures;
  /** The parameters of a search, as they were sent; null for all pictures. */
  readonly filter: object | null;
  /** Whether it is run again by itself once its sources or the media have changed. */
  readonly keepUpToDate: boolean;
}

export interface EvaluationSummary {
  readonly completedAt: Date;
  /** The file of outcomes. */
  readonly file: string;
  readonly pictures: number;
  readonly truth: number;
  readonly predictions: number;
  /** Predictions below it do not count. */
  readonly confidence: number;
  readonly metrics: Figures;
  readonly errorCosts: Figures;
  readonly evaluated: EvaluatedState;
}

export interface Evaluation extends AskedEvaluation {
  readonly id: string;
  readonly datasetId: string;
  /** That runs it, or ran it last; null in a copy of a dataset. */
  readonly taskId: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Null until it was completed once. */
  readonly result: EvaluationSummary | null;
  /** Of the run before. */
  readonly previousMetrics: Figures | null;
}

const REST = 10;

/** After a run, an evaluation that is kept up to date rests ten times as long as the run took. */
export function isRested({ startTime, endTime }: Pick<Task, 'startTime' | 'endTime'>, now: Date): boolean {
  if (endTime === null) return false;
  return now.getTime() - endTime.getTime() >= REST * (endTime.getTime() - startTime.getTime());
}

export const EVALUATION_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

export class EvaluationNotFoundError extends NotFoundError {
  constructor() {
    super('Evaluation not found');
  }
}

export class NoResultError extends ConflictError {
  constructor() {
    super('The evaluation has no result yet. Wait until it has completed.');
  }
}

export class LabelNotFoundError extends NotFoundError {
  constructor(label: string) {
    super(`The evaluation compared nothing with the label '${label}'.`);
  }
}

/** A dataset without media has no evaluations with a result. */
export function pointerOf({ pointer }: { readonly pointer: DatasetPointer | null }): DatasetPointer {
  if (pointer === null) throw new NoResultError();
  return pointer;
}

export function resultOf({ result }: Evaluation): EvaluationSummary {
  if (result === null) throw new NoResultError();
  return result;
}

/** The confidences with which its figures begin. */
export const cutsOfResult = (evaluation: Evaluation): Cuts => ({
  confidence: resultOf(evaluation).confidence,
  ...(evaluation.options.classConfidences !== undefined && { classConfidences: evaluation.options.classConfidences }),
});

export class SourceNotFoundError extends NotFoundError {
  constructor(name: string) {
    super(`Annotation source '${name}' not found`);
  }
}

export class TooManyEvaluationsError extends ConflictError {
  constructor() {
    super(`This dataset has ${MAX_EVALUATIONS} evaluations, which is the limit. Delete one first.`);
  }
}

export class EvaluationRunningError extends ConflictError {
  constructor() {
    super('The evaluation is running. Wait for its end, or abort its task.');
  }
}

export class NothingToEvaluateError extends BadRequestError {
  constructor() {
    super('No picture matches the filter. Choose another filter.');
  }
}

/** Also while an operation changes the dataset: what is published stays. */
export function assertEvaluable({ status, pointer }: Dataset): DatasetPointer {
  if (pointer === null) throw new DatasetStatusError('evaluate', status, ['READY', 'PARTIAL INDEX']);
  return pointer;
}
