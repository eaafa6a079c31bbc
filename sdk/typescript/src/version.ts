/** The version of this package, and of the service that it was generated for. */
export const SDK_VERSION = '0.1.0';

interface Version {
  readonly major: number;
  readonly minor: number;
}

const textOf = ({ major, minor }: Version): string => `${major}.${minor}`;

function parse(text: string): Version | undefined {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\./.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

/** A warning if the first two numbers of both versions differ, or if the service does not report its version. */
export function versionWarning(service: string | null, sdk = SDK_VERSION): string | undefined {
  const ours = parse(sdk);
  const theirs = service === null ? undefined : parse(service);
  if (ours === undefined) throw new Error(`The SDK has no valid version: ${sdk}`);
  if (theirs === undefined)
    return `The server does not say which version of the Dataset Media Service it is. Check the URL; this SDK has version ${sdk}.`;
  if (theirs.major === ours.major && theirs.minor === ours.minor) return undefined;
  const isOlder = theirs.major < ours.major || (theirs.major === ours.major && theirs.minor < ours.minor);
  const advice = isOlder
    ? `Update the service to ${textOf(ours)}, or install version ${textOf(theirs)} of the SDK.`
    : `Install version ${textOf(theirs)} of the SDK.`;
  return `The service has version ${service}, and this SDK ${sdk}: some calls may fail. ${advice}`;
}
