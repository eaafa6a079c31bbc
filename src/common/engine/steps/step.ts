import type { ZodType } from 'zod';
import { UnrecoverableError } from '../../platform/outage/outage';

/** Why a step can't be done, however often it is tried. */
export class StepRefusedError extends UnrecoverableError {}

export interface StepContext {
  readonly signal: AbortSignal;
  /** Called after each file, row or whatever the step counts. */
  readonly onItem?: () => void;
}

/**
 * Work that any machine can do which reaches the object store. A step says in its input all that it needs: parameters, and the keys of what
 * it reads and writes. It has no database, and nothing that it writes counts until the service has recorded its result. So a step may
 * be done twice, at the same time as well: each run writes objects under new keys and names them in its result.
 */
export interface Step<Input extends object = object, Result extends object = object> {
  readonly name: string;
  readonly input: ZodType<Input>;
  readonly result: ZodType<Result>;
  run(input: Input, context: StepContext): Promise<Result>;
}

/** A step to be done, as JSON. */
export interface StepDescription<Input extends object = object> {
  /** Unique among the steps of its plan. */
  readonly id: string;
  readonly step: string;
  /** The amount of work, relative to other steps of the same name. */
  readonly weight: number;
  /** Begins when all steps of lower stages are done; 0 if it waits for none. Stages rise in a plan. */
  readonly stage?: number;
  readonly input: Input;
}
