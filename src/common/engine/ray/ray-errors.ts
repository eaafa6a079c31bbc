import { OutageError, UnrecoverableError } from '../../platform/outage/outage';

/** The cluster is away, starting or overloaded. */
export class RayOutageError extends OutageError {
  constructor(address: string, reason: string, options?: ErrorOptions) {
    const cluster = `the Ray cluster at ${address}`;
    super(cluster, `The Ray cluster at ${address} is not available. Try again in a few seconds.`, reason, options);
  }
}

/** The cluster runs, and has no room for the steps. */
export class RayBusyError extends OutageError {
  constructor(address: string) {
    const sentence = `No node of the Ray cluster at ${address} has a free processor: wait for other jobs, or add nodes`;
    super(`a free processor in the Ray cluster at ${address}`, `${sentence}.`, sentence);
  }
}

/** Nothing that is asked of this cluster can succeed until somebody changes the configuration, the cluster or its nodes. */
export class RayUnusableError extends UnrecoverableError {}

/** A step failed for good, or somebody stopped the job. */
export class RayStepsFailedError extends UnrecoverableError {}

/** The job has ended without a word of its driver, perhaps with its node. It may succeed if it is submitted again. */
export class RayJobLostError extends Error {}
