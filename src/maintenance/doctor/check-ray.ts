import { RayJobs } from '../../common/engine/ray/ray-jobs';
import { assertSupported } from '../../common/engine/ray/ray-version';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';
import type { Configuration } from '../../common/platform/config/configuration';
import { broken, ok, type Verdict } from './check';

/** Whether the Jobs interface answers, with the token, as a version that the driver knows. Submits nothing. */
export async function checkRay({ ray, callTimeoutMs: timeoutMs }: Configuration): Promise<Verdict> {
  if (ray === null) return ok('ENGINE=local: the workers analyse files');
  const jobs = new RayJobs({ ...ray, timeoutMs });
  try {
    const version = await jobs.version();
    assertSupported(ray.address, version);
    return ok(`Ray ${version} at ${ray.address}`);
  } catch (error) {
    const says =
      outageOf(error) === undefined ? errorMessage(error) : `${ray.address} does not answer (${errorMessage(error)}).`;
    return broken(says);
  }
}
