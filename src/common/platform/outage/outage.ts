/**
 * A part of the installation is away, and to wait mends it. Jobs wait for it without losing an attempt, and callers get a 503.
 * What is broken for good (missing, damaged, refused) is no outage.
 */
export class OutageError extends Error {
  constructor(
    /** As in "Waiting for the object store". */
    readonly awaited: string,
    /** For a caller, word for word. */
    readonly detail: string,
    /** What was met, for the log. */
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

export class ObjectStoreOutageError extends OutageError {
  constructor(reason: string, options?: ErrorOptions) {
    super('the object store', 'The object store is not reachable. Try again in a few seconds.', reason, options);
  }
}

export class DatabaseOutageError extends OutageError {
  /** Of the error that was met. */
  readonly code: string | undefined;

  constructor(reason: string, code: string | undefined, options?: ErrorOptions) {
    super('the database', 'The database is not reachable. Try again in a few seconds.', reason, options);
    this.code = code;
  }
}

export class DiskFullError extends OutageError {
  constructor(place: string, options?: ErrorOptions) {
    const sentence = `There is no space left on ${place}: make room or give it more, then try again.`;
    super(`free space on ${place}`, sentence, sentence, options);
  }
}

const DEEPEST_CAUSE = 8;

interface Wrapped {
  readonly code?: unknown;
  readonly cause?: unknown;
  /** Where TypeORM keeps the error of the driver. */
  readonly driverError?: unknown;
}

/** The outage that is behind an error, however deep. */
export function outageOf(error: unknown): OutageError | undefined {
  let met = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && typeof met === 'object' && met !== null; depth += 1) {
    if (met instanceof OutageError) return met;
    const { code, cause, driverError } = met as Wrapped;
    if (code === 'ENOSPC' || code === 'EDQUOT') return new DiskFullError('the disk', { cause: met });
    met = driverError ?? cause;
  }
  return undefined;
}

/** An error that no other attempt mends, such as an object that is missing or a store that refuses its keys. */
export abstract class BrokenForGoodError extends Error {
  /** What a caller is answered, with the message as it is; nothing of it is told where there is none. */
  readonly status: 409 | 500 | undefined;
}

export function isBrokenForGood(error: unknown): boolean {
  let met = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && met instanceof Error; depth += 1) {
    if (met instanceof BrokenForGoodError) return true;
    met = met.cause;
  }
  return false;
}

/** What Node says when the other side can't be reached, or is lost while it is spoken to. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

export const isNetworkCode = (code: unknown): boolean => typeof code === 'string' && NETWORK_CODES.has(code);
