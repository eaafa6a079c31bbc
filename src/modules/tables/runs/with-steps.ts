import { Logger } from '@nestjs/common';
import type { RaySteps } from '../../../common/engine/ray/ray-steps';
import { errorMessage } from '../../../common/platform/errors/error-code';
import { JobCancelledError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { isUnrecoverable } from '../../../common/platform/outage/outage';

const logger = new Logger('RaySteps');

/**
 * Runs work whose steps lie below a prefix of the store. The steps are removed when the work succeeds, fails for good or is cancelled;
 * otherwise they are left for the next attempt.
 */
export async function withSteps<T>(
  steps: RaySteps,
  prefix: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (isOver(error, signal)) await removing(() => steps.stop(prefix));
    throw error;
  }
  await removing(() => steps.remove(prefix));
  return result;
}

const isOver = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted ? reason instanceof JobCancelledError : isUnrecoverable(error) || error instanceof PermanentJobError;

/** The sweep removes the work of a task that has ended, and a job ends when its plan is missing. */
async function removing(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    logger.warn(`Steps on Ray could not be removed: ${errorMessage(error)}`);
  }
}
