import type { ZodType } from 'zod';
import { errorMessage } from '../../platform/errors/error-code';
import { UnrecoverableError } from '../../platform/outage/outage';

/** The reason why a step can never succeed. */
export class StepRefusedError extends UnrecoverableError {}

export interface StepContext {
  readonly signal: AbortSignal;
  /** Called after each item of the step, such as a file or a row. */
  readonly onItem?: () => void;
}

/**
 * Work that any machine with access to the object store can do. The input of a step has everything that it needs: parameters, and the keys of the
 * objects that it reads. A step has no database access, and the objects that it writes only count after the service has recorded its result. So a
 * step may run twice, even concurrently: each run writes objects under new keys and returns them in its result, and the first result counts.
 */
export interface Step<Input extends object = object> {
  readonly name: string;
  readonly input: ZodType<Input>;
  /** Resolves to the result: bytes, or an object that is stored as JSON. */
  run(input: Input, context: StepContext): Promise<object>;
}

/** A step to run, as JSON. */
export interface StepDescription<Input extends object = object> {
  /** Unique among the steps of its plan. */
  readonly id: string;
  readonly step: string;
  /** The amount of work, relative to other steps of the same name. */
  readonly weight: number;
  /** The step starts after all steps of lower stages; 0 if it waits for none. Stages ascend in a plan. */
  readonly stage?: number;
  readonly input: Input;
}

/** Reads a result that was stored as JSON. */
export function parsedResult<Result>(id: string, bytes: Buffer, schema: ZodType<Result>): Result {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw new StepRefusedError(`The result of step ${id} is not valid: ${errorMessage(error)}`, { cause: error });
  }
}
