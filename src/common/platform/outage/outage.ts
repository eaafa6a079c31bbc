import { DomainError } from '../errors/domain-error';
import { errorCode, errorMessage } from '../errors/error-code';

/**
 * A dependency of the service is temporarily unavailable. Jobs wait for it without using up an attempt, and callers get a 503. Permanent conditions
 * (missing, damaged, refused) are not outages.
 */
export class OutageError extends Error {
  constructor(
    /** Completes the sentence "Waiting for …", for example "the object store". */
    readonly awaited: string,
    /** Sent to the caller unchanged. */
    readonly detail: string,
    /** The underlying message, for the log. */
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
  /** The code of the underlying error. */
  readonly code: string | undefined;

  constructor(reason: string, code: string | undefined, options?: ErrorOptions) {
    super('the database', 'The database is not reachable. Try again in a few seconds.', reason, options);
    this.code = code;
  }
}

export interface Space {
  readonly neededBytes: number;
  readonly freeBytes: number;
}

export class DiskFullError extends OutageError {
  constructor(place: string, options?: ErrorOptions & { readonly space?: Space }) {
    const space = options?.space;
    const amounts =
      space === undefined ? '' : ` (up to ${space.neededBytes} bytes are needed, ${space.freeBytes} are free)`;
    const sentence = `There is no space left on ${place}${amounts}: make room or give it more, then try again.`;
    super(`free space on ${place}${amounts}`, sentence, sentence, options);
  }
}

const DEEPEST_CAUSE = 8;

interface Wrapped {
  readonly code?: unknown;
  readonly cause?: unknown;
  /** TypeORM stores the error of the driver here. */
  readonly driverError?: unknown;
}

/** Finds the outage among the causes of an error, at any depth. */
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

/** An error that no retry fixes, such as a missing object or rejected credentials. */
export abstract class UnrecoverableError extends Error {
  /** The response status, sent with the message; without it the caller gets a plain 500. */
  readonly status: 409 | 500 | undefined;
}

/** Finds the unrecoverable error among the causes of an error. */
export function unrecoverableOf(error: unknown): UnrecoverableError | undefined {
  let met = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && met instanceof Error; depth += 1) {
    if (met instanceof UnrecoverableError) return met;
    met = met.cause;
  }
  return undefined;
}

export const isUnrecoverable = (error: unknown): boolean => unrecoverableOf(error) !== undefined;

/** Node's error codes for a peer that cannot be reached or closes the connection. */
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

/** The form in which a child process sends an error to its parent. It preserves outages, unrecoverable errors and refusals. */
export interface SerializedError {
  readonly message: string;
  readonly code: string | undefined;
  readonly outage: Pick<OutageError, 'awaited' | 'detail'> | null;
  readonly unrecoverable: Pick<UnrecoverableError, 'status'> | null;
  readonly refusal: Pick<DomainError, 'status' | 'detail' | 'reason'> | null;
}

class UnrecoverableChildError extends UnrecoverableError {
  constructor(
    message: string,
    override readonly status: UnrecoverableError['status'],
  ) {
    super(message);
  }
}

export function serializeError(error: unknown): SerializedError {
  const outage = outageOf(error);
  const unrecoverable = unrecoverableOf(error);
  return {
    message: errorMessage(error),
    code: errorCode(error),
    outage: outage === undefined ? null : { awaited: outage.awaited, detail: outage.detail },
    unrecoverable: unrecoverable === undefined ? null : { status: unrecoverable.status },
    refusal: error instanceof DomainError ? { status: error.status, detail: error.detail, reason: error.reason } : null,
  };
}

export function deserializeError({ message, code, outage, unrecoverable, refusal }: SerializedError): Error {
  if (refusal !== null) return new DomainError(refusal.status, refusal.detail, { reason: refusal.reason });
  if (outage !== null) return new OutageError(outage.awaited, outage.detail, message);
  const error =
    unrecoverable === null ? new Error(message) : new UnrecoverableChildError(message, unrecoverable.status);
  return code === undefined ? error : Object.assign(error, { code });
}
