import { VersionMismatchError } from './errors.js';

/** The version of this package, and of the service that it was generated for. */
export const SDK_VERSION = '0.1.0';

interface Version {
  readonly major: number;
  readonly minor: number;
}

function parse(text: string): Version | undefined {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\./.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

/** Versions fit together if their first number is the same; before 1.0 the second has to be the same as well. */
export function assertCompatible(service: string | null, sdk = SDK_VERSION): void {
  const ours = parse(sdk);
  const theirs = service === null ? undefined : parse(service);
  if (ours === undefined) throw new Error(`The version of the SDK, ${sdk}, is not a version`);
  if (theirs === undefined)
    throw new VersionMismatchError(
      `The server did not say which version of the Dataset Media Service it is. Check the URL, or update the service to ${ours.major}.${ours.minor}.`,
    );
  if (theirs.major === ours.major && (ours.major > 0 || theirs.minor === ours.minor)) return;
  const wanted = theirs.major > 0 ? `${theirs.major}` : `${theirs.major}.${theirs.minor}`;
  throw new VersionMismatchError(
    `The service has version ${service}, and this SDK ${sdk} does not fit it. Install version ${wanted} of the SDK, or a service of version ${ours.major}.${ours.minor}.`,
  );
}
