import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenForGoodError, isNetworkCode, ObjectStoreOutageError } from '../outage/outage';
import type { Reachability } from '../outage/reachability';
import { errorCode, errorMessage } from '../errors/error-code';

/** The S3 store is there and refuses: nothing that waiting mends. */
export class StoreRefusedError extends BrokenForGoodError {
  constructor(
    message: string,
    readonly code: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Said by a store that is overloaded, starting, or has lost its disks for now. */
const PASSING = new Set([
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
const REFUSALS = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'NoSuchBucket', 'Forbidden']);
/** How the client tells a status of 5xx or 429, without the answer. */
const BUSY_STATUS = /Retryable HTTP status: (\d{3})/;
const TRIES = 3;
const FIRST_PAUSE_MS = 150;

const isRefusal = (error: unknown): boolean => REFUSALS.has(errorCode(error) ?? '');

/** What a failure of the S3 client means, for whoever has to wait, give up or say so. */
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
  if (isNetworkCode(code) || PASSING.has(code) || (error instanceof Error && error.name === 'TimeoutError')) {
    const reason = errorMessage(error) || code;
    return new ObjectStoreOutageError(`The S3 store can't be reached: ${reason}`, { cause: error });
  }
  return error;
}

/** How the S3 client is called: a store that is busy for a moment is asked again, and an outage is told as one. */
export class S3Calls {
  constructor(private readonly reachability?: Reachability) {}

  async run<T>(act: () => Promise<T>): Promise<T> {
    this.reachability?.assertUp();
    for (let tries = 1; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        if (!isBusy(error) || tries === TRIES) throw this.failed(error);
        await delay(FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random()));
      }
    }
  }

  private failed(error: unknown): unknown {
    const failure = s3Failure(error);
    if (failure instanceof ObjectStoreOutageError) this.reachability?.suspect(failure);
    return failure;
  }
}

const isBusy = (error: unknown): boolean =>
  BUSY_STATUS.test(errorMessage(error)) || PASSING.has(errorCode(error) ?? '');

/** A body that breaks off half-way tells it as any other call does. */
export function tellingOutages(body: Readable): Readable {
  const destroy = body._destroy.bind(body);
  body._destroy = (error, done) =>
    destroy(error, (failure) => done(failure === null || failure === undefined ? null : (s3Failure(failure) as Error)));
  return body;
}
