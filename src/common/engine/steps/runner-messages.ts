import type { SerializedError } from '../../platform/outage/outage';
import type { StepDescription } from './step';
import type { PlanPage } from './step-plan';

/** Requests to a step runner, one line each. Responses arrive in any order, one line each. */
export type RunnerRequest =
  | { readonly id: string; readonly do: 'read-plan'; readonly plan: string; readonly offset: number }
  /** The result is stored next to the plan. */
  | { readonly id: string; readonly do: 'step'; readonly plan: string; readonly step: StepDescription };

export type RunnerAnswer = { readonly id: string } & (
  | { readonly page: PlanPage }
  | { readonly done: true }
  /** The plan was deleted, because its operation has ended. */
  | { readonly unwanted: true }
  | { readonly failed: SerializedError }
);

/** The first line of a runner. */
export interface RunnerGreeting {
  readonly ready: true;
  readonly version: string;
  readonly steps: readonly string[];
}

/** The first line of a runner that cannot work, which then exits. */
export interface RunnerRefusal {
  readonly ready: false;
  /** One sentence. */
  readonly reason: string;
}
