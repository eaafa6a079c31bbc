import { setImmediate } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { type RecordBatch, RecordBatchFileWriter } from 'apache-arrow';
import { callLimit } from '../../platform/outage/call-limit';
import { ObjectStoreOutageError, type OutageError } from '../../platform/outage/outage';
import type { Reachability } from '../../platform/outage/reachability';
import { DamagedDataError, StoreFullError } from '../../platform/storage/object-store';
import { StoreRefusedError } from '../../platform/storage/s3/s3-outage';
import { errorMessage } from '../../platform/errors/error-code';

const LIMIT_MS = 10_000;
const MAX_ABANDONED = 32;
/** Timeout multiplier for large reads. */
const PATIENCE = 3;
const TOO_LATE = Symbol('timed out');

/** Messages of the store client inside Lance if the store does not respond or is temporarily unavailable. */
const OUTAGE_PATTERN =
  /error sending request|error decoding response body|connection (?:refused|reset|closed)|operation timed out|tcp connect error|dns error|broken pipe|code: 5\d\d\b|status 5\d\d\b|SlowDown|ServiceUnavailable/i;
const FULL = /code: 507\b|StorageFull|InsufficientStorage|QuotaExceeded|No space left/;
const REFUSED = /code: 40[13]\b|status 40[13]\b|AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket/;

/** Messages of Lance if a file of a table is missing or damaged. */
const DAMAGED = /not found|no such file|corrupt|magic|unexpected end|file size|out of range|decode error/i;
const TABLE_FILE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.lance(?:\/[\w./-]{1,200})?/;

/** Classifies a failure of Lance as an outage, an unrecoverable error or another error. */
export function lanceFailure(error: unknown, store: string): unknown {
  const message = errorMessage(error);
  if (FULL.test(message)) return new StoreFullError(store, { cause: error });
  if (/S3|object.store/i.test(message)) {
    if (REFUSED.test(message)) {
      const code = /AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket/.exec(message)?.[0];
      return new StoreRefusedError('The S3 store refuses this service access to a table', code ?? 'AccessDenied', {
        cause: error,
      });
    }
    if (OUTAGE_PATTERN.test(message))
      return new ObjectStoreOutageError("Lance can't reach the S3 store", { cause: error });
  }
  const file = DAMAGED.test(message) ? TABLE_FILE.exec(message)?.[0] : undefined;
  return file === undefined ? error : new DamagedDataError(`The file tables/${file}`, { cause: error });
}

/**
 * Calls Lance. Its calls cannot be cancelled, so reads time out, and new reads are refused while too many abandoned ones are still running.
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
    if (this.abandoned >= MAX_ABANDONED) throw this.late(`${this.abandoned} abandoned reads of tables have not ended`);
    return await this.classify(() => this.withinLimit(work()));
  }

  /** Without a timeout: for writes, and for reading large data. */
  async withoutLimit<T>(work: () => Promise<T>): Promise<T> {
    this.reachability?.assertUp();
    return await this.classify(work);
  }

  /** Waits longer than for other reads. After that it throws, but the read continues for the next caller. */
  async awaitWhole<T>(reading: Promise<T>, late: () => OutageError): Promise<T> {
    const read = await inTime(reading, callLimit() ?? PATIENCE * this.limitMs);
    if (read !== TOO_LATE) return read;
    reading.catch(() => undefined);
    throw late();
  }

  async *batches<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = source[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.read(() => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  private async classify<T>(work: () => Promise<T>): Promise<T> {
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
    const read = await inTime(reading, limit);
    if (read !== TOO_LATE) return read;
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

/** Returns TOO_LATE after the limit; 0 means no limit. */
async function inTime<T>(reading: Promise<T>, limitMs: number): Promise<T | typeof TOO_LATE> {
  if (limitMs === 0) return await reading;
  let timer: NodeJS.Timeout | undefined;
  try {
    const timeout = new Promise<typeof TOO_LATE>((resolve) => {
      timer = setTimeout(() => resolve(TOO_LATE), limitMs);
    });
    return await Promise.race([reading, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** After this much data, or at the end of a part, yields to the event loop. */
const COPIED_BYTES = 4 * 2 ** 20;

/** Passed to Lance's `add` once the rows are encoded. */
interface EncodedTable {
  readonly inner: { add(encoded: Buffer, mode: 'append'): Promise<{ readonly version: number }> };
}

/** Adds rows to a table, and returns its new version. LanceDB's own `add` encodes and copies all of them at once, which blocks the event loop. */
export async function addSlab(table: Table, slab: readonly RecordBatch[]): Promise<number> {
  const encoded = await joined(await encodedParts(slab));
  return (await (table as unknown as EncodedTable).inner.add(encoded, 'append')).version;
}

/** Encodes rows as an Arrow file. Most parts are the columns themselves, so this needs little memory. */
async function encodedParts(slab: readonly RecordBatch[]): Promise<Uint8Array[]> {
  const writer = new RecordBatchFileWriter();
  for (const batch of slab) {
    writer.write(batch);
    await setImmediate();
  }
  writer.finish();
  const parts: Uint8Array[] = [];
  for await (const part of writer) parts.push(part as Uint8Array);
  return parts;
}

async function joined(parts: readonly Uint8Array[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let end = 0;
  let copied = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.byteLength;
    copied += part.byteLength;
    if (copied < COPIED_BYTES) continue;
    await setImmediate();
    copied = 0;
  }
  return whole;
}
