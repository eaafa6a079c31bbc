import { ProviderUnavailableError, SignInRefusedError } from './domain/sign-in-errors';

/** Errors that mean a fault of the provider or of its configuration for this service. */
const NOT_THE_CALLERS_FAULT = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);
const UNREACHED_CODES = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'ERR_JWKS_TIMEOUT']);

interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
}

function* causesOf(error: unknown): Generator<Failure> {
  let cause = error;
  for (let depth = 0; depth < 8 && typeof cause === 'object' && cause !== null; depth += 1) {
    yield cause;
    cause = (cause as Failure).cause;
  }
}

const isUnreached = ({ name, message, code, status, error }: Failure): boolean =>
  message === 'fetch failed' ||
  name === 'TimeoutError' ||
  (typeof code === 'string' && UNREACHED_CODES.has(code)) ||
  (typeof status === 'number' && status >= 500) ||
  (typeof error === 'string' && NOT_THE_CALLERS_FAULT.has(error));

export const isProviderTrouble = (error: unknown): boolean => [...causesOf(error)].some(isUnreached);

const firstText = (error: unknown, name: 'error' | 'code'): string | undefined =>
  [...causesOf(error)].map((each) => each[name]).find((value) => typeof value === 'string');

/** A description for the log, without the codes and tokens that the errors contain. */
export const describeFailure = (error: unknown): string =>
  [...causesOf(error)]
    .map(({ message, error: said, code }) => [said, code, message].filter((part) => typeof part === 'string').join(' '))
    .filter((line) => line !== '')
    .join(': ');

/** The error to show to the user who tried to sign in. */
export function signInFailure(error: unknown): ProviderUnavailableError | SignInRefusedError {
  if (isProviderTrouble(error)) return new ProviderUnavailableError({ cause: error });
  const said = firstText(error, 'error');
  if (said === 'access_denied')
    return new SignInRefusedError('The identity provider denied the sign-in', 'access_denied', { cause: error });
  return new SignInRefusedError(
    'The response of the identity provider is not valid. Start again.',
    said ?? firstText(error, 'code') ?? 'invalid answer',
    { cause: error },
  );
}
