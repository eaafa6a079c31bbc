import type { ZodType } from 'zod';
import { errorMessage } from '../../platform/errors/error-code';
import { UnrecoverableError } from '../../platform/outage/outage';

/** Why a step can't be done, however often it is tried. */
export class StepRefusedError extends UnrecoverableError {}

export interface StepContext {
  readonly signal: AbortSignal;
  /** Called after each file, row or whatever the step counts. */
  readonly onItem?: () => void;
}

/**
 * Work that any machine can do which reaches the object store. The input of a step has all that it needs: parameters, and the keys of the
 * objects that it reads. A step has no database, and objects that it writes count only once the service has recorded its result. So a step may
 * be done twice, also at the same time: each run writes objects under new keys and names them in its result, and the first result counts.
 */
export interface Step<Input extends object = object> {
  readonly name: string;
  readonly input: ZodType<Input>;
  /** Resolves to the result: bytes, or an object that is stored as JSON. */
  run(input: Input, context: StepContext): Promise<object>;
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

/** Reads a result that was stored as JSON. */
export function parsedResult<Result>(id: string, bytes: Buffer, schema: ZodType<Result>): Result {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw new StepRefusedError(`The result of step ${id} is not valid: ${errorMessage(error)}`, { cause: error });
  }
}
