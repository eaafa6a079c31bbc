import type { Configuration } from '../../common/platform/config/configuration';
import { broken, ok, type Verdict } from './check';
import { RayJobs } from '../../common/engine/ray/ray-jobs';
import { assertSupported } from '../../common/engine/ray/ray-errors';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

export async function checkProvider({ oidc }: Configuration): Promise<Verdict> {
  if (oidc === null) return ok('AUTH_MODE=none: nobody signs in');
  const url = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url).catch((error: unknown) => {
    const { cause } = error as { cause?: Error };
    throw new Error(
      `${url} can't be reached (${cause?.message ?? String(error)}): correct OIDC_ISSUER, or its network.`,
    );
  });
  if (!response.ok) return broken(`${url} answered ${response.status}: correct OIDC_ISSUER.`);
  const metadata = (await response.json()) as Readonly<Record<string, unknown>>;
  if (metadata['issuer'] !== oidc.issuer)
    return broken(`The provider calls itself ${String(metadata['issuer'])}: set OIDC_ISSUER to exactly that.`);
  const lacking = NEEDED.filter((name) => typeof metadata[name] !== 'string');
  return lacking.length === 0
    ? ok(`${oidc.issuer} answers`)
    : broken(`The metadata of ${oidc.issuer} lacks ${lacking.join(', ')}: enable the authorization code flow there.`);
}

/** Whether the Jobs API responds with this token, and the version of Ray is supported. Submits no job. */
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
