import { OutageError, UnrecoverableError } from '../../platform/outage/outage';

/** The driver was tested with 2.60. Token authentication exists since 2.52. */
const MAJOR = 2;
const LEAST_MINOR = 52;

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

export function assertSupported(address: string, version: string): void {
  const [major, minor] = version.split('.', 2);
  if (Number(major) === MAJOR && Number(minor) >= LEAST_MINOR) return;
  throw new RayUnusableError(
    `The Ray cluster at ${address} runs Ray ${version.slice(0, 40)}, and the driver needs ${MAJOR}.${LEAST_MINOR} or a later ${MAJOR}.x: install that on its nodes.`,
  );
}
