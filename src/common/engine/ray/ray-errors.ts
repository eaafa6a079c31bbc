import { OutageError, UnrecoverableError } from '../../platform/outage/outage';

/** The cluster is unavailable, starting or overloaded. */
export class RayOutageError extends OutageError {
  constructor(address: string, reason: string, options?: ErrorOptions) {
    const cluster = `the Ray cluster at ${address}`;
    super(cluster, `The Ray cluster at ${address} is not available. Try again in a few seconds.`, reason, options);
  }
}

/** The cluster is running, but has no capacity for the steps. */
export class RayBusyError extends OutageError {
  constructor(address: string) {
    const sentence = `No node of the Ray cluster at ${address} has a free processor: wait for other jobs, or add nodes`;
    super(`a free processor in the Ray cluster at ${address}`, `${sentence}.`, sentence);
  }
}

/** No request to this cluster can succeed until the configuration, the cluster or its nodes are changed. */
export class RayUnusableError extends UnrecoverableError {}

/** A step failed permanently, or the job was stopped manually. */
export class RayStepsFailedError extends UnrecoverableError {}

/** The job ended without a final event of its driver, perhaps together with its node. It may succeed if it is submitted again. */
export class RayJobLostError extends Error {}
