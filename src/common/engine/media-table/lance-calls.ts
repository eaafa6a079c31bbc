import { setTimeout as delay } from 'node:timers/promises';
import { callLimit } from '../../platform/outage/call-limit';
import { ObjectStoreOutageError } from '../../platform/outage/outage';
import type { Reachability } from '../../platform/outage/reachability';
import { DamagedDataError } from '../../platform/storage/damaged-data';
import { StoreFullError } from '../../platform/storage/object-store';
import { StoreRefusedError } from '../../platform/storage/s3-outage';
import { errorMessage } from '../../platform/errors/error-code';

const LIMIT_MS = 10_000;
const MOST_ABANDONED = 32;

/** As the store client inside Lance says that the store did not answer, or not now. */
const AWAY =
  /error sending request|error decoding response body|connection (?:refused|reset|closed)|operation timed out|tcp connect error|dns error|broken pipe|code: 5\d\d\b|status 5\d\d\b|SlowDown|ServiceUnavailable/i;
const FULL = /code: 507\b|StorageFull|InsufficientStorage|QuotaExceeded|No space left/;
const REFUSED = /code: 40[13]\b|status 40[13]\b|AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket/;

/** As Lance says that a file of a table is not there, or not what it wrote. */
const DAMAGED = /not found|no such file|corrupt|magic|unexpected end|file size|out of range|decode error/i;
const TABLE_FILE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.lance(?:\/[\w./-]{1,200})?/;

/** What a failure of Lance means for whoever has to wait, give up or say so. */
export function lanceFailure(error: unknown, store: string): unknown {
  const message = errorMessage(error);
  if (FULL.test(message)) return new StoreFullError(store, { cause: error });
  if (/S3|object.store/i.test(message)) {
    if (REFUSED.test(message)) {
      const code = /AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket/.exec(message)?.[0];
      return new StoreRefusedError('The S3 store refuses this service a table', code ?? 'AccessDenied', {
        cause: error,
      });
    }
    if (AWAY.test(message))
      return new ObjectStoreOutageError("The S3 store can't be reached by Lance", { cause: error });
  }
  const file = DAMAGED.test(message) ? TABLE_FILE.exec(message)?.[0] : undefined;
  return file === undefined ? error : new DamagedDataError(`The file tables/${file}`, { cause: error });
}

/**
 * How Lance is called. Its calls can't be cancelled, so those that read are waited for no longer than a limit, and only so many may
 * still be under way of which nobody waits for the end.
 */
export class LanceCalls {
  private abandoned = 0;

  constructor(
    private readonly store: string,
    private readonly reachability: Reachability | undefined,
    private readonly limitMs = LIMIT_MS,
  ) {}

  async read<T>(work: () => Promise<T>): Promise<T> {
    this.reachability?.assertUp();
    if (this.abandoned >= MOST_ABANDONED)
      throw this.late(`${this.abandoned} reads of tables were begun and have not ended`);
    return await this.telling(() => this.withinLimit(work()));
  }

  /** Takes as long as it takes. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    this.reachability?.assertUp();
    return await this.telling(work);
  }

  async *batches<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = source[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.read(() => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  private async telling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const failure = lanceFailure(error, this.store);
      if (failure instanceof ObjectStoreOutageError) this.reachability?.reportFailure(failure);
      throw failure;
    }
  }

  private async withinLimit<T>(reading: Promise<T>): Promise<T> {
    const limit = callLimit() ?? this.limitMs;
    if (limit === 0) return await reading;
    const over = new AbortController();
    const tooLate = Symbol('too late');
    try {
      const timer = delay(limit, tooLate, { signal: over.signal }).catch(() => tooLate);
      const first = await Promise.race([reading, timer]);
      if (first !== tooLate) return first as T;
    } finally {
      over.abort();
    }
    this.abandon(reading);
    throw this.late(`A table was not read within ${limit / 1_000} s`);
  }

  private abandon(reading: Promise<unknown>): void {
    this.abandoned += 1;
    const ended = (): void => void (this.abandoned -= 1);
    reading.then(ended, ended);
  }

  private late(reason: string): ObjectStoreOutageError {
    const outage = new ObjectStoreOutageError(reason);
    this.reachability?.reportFailure(outage);
    return outage;
  }
}
