import type { SerializedError } from '../../platform/outage/outage';
import type { StepDescription } from './step';
import type { PlanPage } from './step-plan';

/** Requests to a step runner, a line each. Answers come in any order, a line each as well. */
export type RunnerRequest =
  | { readonly id: string; readonly do: 'read-plan'; readonly plan: string; readonly offset: number }
  /** The result is stored beside the plan. */
  | { readonly id: string; readonly do: 'step'; readonly plan: string; readonly step: StepDescription };

export type RunnerAnswer = { readonly id: string } & (
  | { readonly page: PlanPage }
  | { readonly done: true }
  /** The plan has been deleted, because its operation has ended. */
  | { readonly unwanted: true }
  | { readonly failed: SerializedError }
);

/** The first line of a runner. */
export interface RunnerGreeting {
  readonly ready: true;
  readonly version: string;
  readonly steps: readonly string[];
}

/** The first line of a runner that can't work; it ends then. */
export interface RunnerRefusal {
  readonly ready: false;
  /** One sentence. */
  readonly reason: string;
}
