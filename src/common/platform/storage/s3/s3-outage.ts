import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { UnrecoverableError, isNetworkCode, ObjectStoreOutageError } from '../../outage/outage';
import type { Reachability } from '../../outage/reachability';
import { errorCode, errorMessage } from '../../errors/error-code';

/** The S3 store refuses a request, so waiting does not help. */
export class StoreRefusedError extends UnrecoverableError {
  constructor(
    message: string,
    readonly code: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Error codes of a store that is overloaded, starting, or temporarily without its disks. */
const TEMPORARY = new Set([
  'SlowDown',
  'SlowDownRead',
  'SlowDownWrite',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'OperationTimedOut',
  'XMinioServerNotInitialized',
  'XMinioReadQuorum',
  'XMinioWriteQuorum',
]);
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);
const REFUSALS = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'NoSuchBucket', 'Forbidden']);
/** The message of the client for a 5xx or 429, whose response it does not read. */
const BUSY_STATUS = /Retryable HTTP status: (\d{3})/;
const TRIES = 3;
const FIRST_PAUSE_MS = 150;

const isRefusal = (error: unknown): boolean => REFUSALS.has(errorCode(error) ?? '');

/** Classifies a failure of the S3 client as an outage, a refusal or another error. */
export function s3Failure(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  const status = BUSY_STATUS.exec(errorMessage(error))?.[1];
  if (status !== undefined)
    return new ObjectStoreOutageError(`The S3 store answered with status ${status}`, { cause: error });
  if (isRefusal(error)) {
    return new StoreRefusedError(`The S3 store refuses this service (${code}): ${errorMessage(error)}`, code, {
      cause: error,
    });
  }
  if (isNetworkCode(code) || TEMPORARY.has(code) || (error instanceof Error && error.name === 'TimeoutError')) {
    const reason = errorMessage(error) || code;
    return new ObjectStoreOutageError(`The S3 store can't be reached: ${reason}`, { cause: error });
  }
  return error;
}

/** Calls the S3 client: retries while the store is briefly busy, and reports outages as OutageError. */
export class S3Calls {
  constructor(private readonly reachability?: Reachability) {}

  /** For calls that must not be repeated. */
  run<T>(act: () => Promise<T>): Promise<T> {
    return this.retried(act, isBusy);
  }

  /** For calls that may be repeated: also retried if the connection breaks and the outcome is unknown. */
  repeat<T>(act: () => Promise<T>): Promise<T> {
    return this.retried(act, (error) => isBusy(error) || isBroken(error));
  }

  private async retried<T>(act: () => Promise<T>, isWorthwhile: (error: unknown) => boolean): Promise<T> {
    this.reachability?.assertUp();
    for (let tries = 1; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        if (!isWorthwhile(error) || tries === TRIES) throw this.classify(error);
        await delay(FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random()));
      }
    }
  }

  private classify(error: unknown): unknown {
    const failure = s3Failure(error);
    if (failure instanceof ObjectStoreOutageError) this.reachability?.reportFailure(failure);
    return failure;
  }
}

const isBusy = (error: unknown): boolean =>
  BUSY_STATUS.test(errorMessage(error)) || TEMPORARY.has(errorCode(error) ?? '');

/** A server that is down refuses connections or is silent; here a connection existed. */
const isBroken = (error: unknown): boolean => BROKEN.has(errorCode(error) ?? '');

/** Classifies errors of a response body like those of a call. */
export function withClassifiedErrors(body: Readable): Readable {
  const destroy = body._destroy.bind(body);
  body._destroy = (error, done) =>
    destroy(error, (failure) => done(failure === null || failure === undefined ? null : (s3Failure(failure) as Error)));
  return body;
}
