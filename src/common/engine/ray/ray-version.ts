import { RayUnusableError } from './ray-errors';

/** The driver was tested with 2.60. Token authentication exists since 2.52. */
const MAJOR = 2;
const LEAST_MINOR = 52;

export function assertSupported(address: string, version: string): void {
  const [major, minor] = version.split('.', 2);
  if (Number(major) === MAJOR && Number(minor) >= LEAST_MINOR) return;
  throw new RayUnusableError(
    `The Ray cluster at ${address} runs Ray ${version.slice(0, 40)}, and the driver needs ${MAJOR}.${LEAST_MINOR} or a later ${MAJOR}.x: install that on its nodes.`,
  );
}
