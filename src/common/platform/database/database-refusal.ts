import { StartError } from '../config/start-error';

/** Postgres can't be used as it is; the message is one sentence for the person who starts the service. */
export class DatabaseUnavailableError extends StartError {}

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // It starts, stops, or has no connection left.
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);
/** Errors of the client that have no code, and of poolers that use one for everything. */
const AWAY_MESSAGE =
  /^Connection terminated|^timeout expired|^timeout exceeded|cannot connect to server|server login has been failing|server_login_retry|no answer|pooler is shut|shutting down/i;

const WHAT_TO_DO: Readonly<Record<string, string>> = {
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

/** Whether it may come later. */
export const isAway = (error: unknown): boolean => AWAY.has(codeOf(error)) || AWAY_MESSAGE.test(reasonOf(error));

/** Where Postgres is, without the password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, username } = new URL(url);
  const host = `${hostname || 'localhost'}:${port || '5432'}`;
  return `${host} (database ${decodeURIComponent(pathname.slice(1)) || username}, user ${decodeURIComponent(username)})`;
}

export function refusal(error: unknown, place: string): DatabaseUnavailableError {
  const advice = WHAT_TO_DO[codeOf(error)];
  const sentence = `Postgres at ${place} can't be used: ${reasonOf(error)}`;
  return new DatabaseUnavailableError(advice === undefined ? `${sentence}.` : `${sentence}; ${advice}.`, {
    cause: error,
  });
}

/** What the start of a service may meet that only a person can change; the error itself where it is something else. */
export const asRefusal = (error: unknown, place: string): unknown =>
  WHAT_TO_DO[codeOf(error)] === undefined ? error : refusal(error, place);
