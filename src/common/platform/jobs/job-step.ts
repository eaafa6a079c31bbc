import { observeCall } from '../observability/observed-calls';
import { inSpan } from '../observability/spans';
import { outageOf } from '../outage/outage';
import { JobCancelledError, JobShutdownError, JobYieldedError, LeaseLostError } from './job-errors';

/** The names of steps in metrics and traces. */
export type JobStep =
  | 'list-source'
  | 'analyze-files'
  | 'exclude-known'
  | 'compare-rows'
  | 'write-table'
  | 'append-rows'
  | 'remove-rows'
  | 'apply-model'
  | 'write-copy'
  | 'read-vectors'
  | 'write-archive'
  | 'compare-annotations'
  | 'find-slices'
  | 'publish';

const INTERRUPTIONS = [JobCancelledError, JobShutdownError, JobYieldedError, LeaseLostError];

function outcomeOf(error: unknown): string {
  if (INTERRUPTIONS.some((Interruption) => error instanceof Interruption)) return 'interrupted';
  return outageOf(error) === undefined ? 'failed' : 'outage';
}

/** Measures and traces a step of a job. */
export const jobStep = <T>(name: JobStep, work: () => Promise<T>): Promise<T> =>
  inSpan(`step ${name}`, {}, () => observeCall('step', name, work, outcomeOf));
