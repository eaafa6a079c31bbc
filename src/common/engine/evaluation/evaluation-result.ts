import type { Mistake } from './counted-outcomes';
import type { Outcomes } from './outcomes';

/** By name. Those of COCO are -1 where there is nothing to measure, as in its tools, all others null. */
export type Figures = Readonly<Record<string, number | null>>;

/** By name and sample; null where undefined. */
export type SampledFigures = Readonly<Record<string, readonly (number | null)[]>>;

export interface LabelFigures {
  readonly label: string;
  /** Annotations that count. */
  readonly truth: number;
  readonly predictions: number;
  readonly figures: Figures;
}

export interface EvaluationResult {
  /** Pictures are in the order of their ranks. */
  readonly outcomes: Outcomes;
  readonly metrics: Figures;
  /** In the order of the labels of the outcomes. */
  readonly perClass: readonly LabelFigures[];
  /** As in the plan, or else that with the best F1. */
  readonly confidence: number;
  /** Main figures in samples of the pictures, as `timesInSamples` draws them; none of few pictures. */
  readonly samples: SampledFigures;
  /** What each kind of mistake costs in the mean of average precisions at the IoU of the plan, as in TIDE; absent for whole pictures. */
  readonly errorCosts?: Readonly<Record<Mistake, number>>;
}
