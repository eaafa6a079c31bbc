import { StartError } from '../config/configuration-error';

/** Postgres cannot be used with this configuration. The message is one sentence for the operator who starts the service. */
export class DatabaseUnavailableError extends StartError {}

const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Postgres is starting, stopping, or out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);
/** Messages of client errors without a code, and of poolers that use one code for all errors. */
const OUTAGE_MESSAGE =
  /^Connection terminated|^timeout expired|^timeout exceeded|cannot connect to server|server login has been failing|server_login_retry|no answer|pooler is shut|shutting down/i;

const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'set the right user and password in DATABASE_URL',
  '28000': 'set the right user and password in DATABASE_URL, or let that user in by pg_hba.conf',
  '3D000': 'create the database, or name another in DATABASE_URL',
  '42501':
    'make the user of DATABASE_URL the owner of the database, or grant it CREATE on the database and on its schema public',
  '25006': 'DATABASE_URL must name the primary server',
};

export function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : codeOf(error);

/** Whether the error may go away by waiting. */
export const isOutage = (error: unknown): boolean =>
  OUTAGE_CODES.has(codeOf(error)) || OUTAGE_MESSAGE.test(reasonOf(error));

/** The URL of Postgres without the password. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, username } = new URL(url);
  const host = `${hostname || 'localhost'}:${port || '5432'}`;
  return `${host} (database ${decodeURIComponent(pathname.slice(1)) || username}, user ${decodeURIComponent(username)})`;
}

export function unavailableError(error: unknown, place: string): DatabaseUnavailableError {
  const advice = ADVICE[codeOf(error)];
  const sentence = `Postgres at ${place} can't be used: ${reasonOf(error)}`;
  return new DatabaseUnavailableError(advice === undefined ? `${sentence}.` : `${sentence}; ${advice}.`, {
    cause: error,
  });
}

/** Converts startup errors that only an operator can fix into a sentence; returns any other error unchanged. */
export const explainStartupError = (error: unknown, place: string): unknown =>
  ADVICE[codeOf(error)] === undefined ? error : unavailableError(error, place);
