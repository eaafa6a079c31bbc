import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { errorMessage } from '../../common/platform/errors/error-code';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { StartError } from '../../common/platform/config/configuration-error';

export class DamagedBackupError extends StartError {
  constructor(what: string, reason: string, options?: ErrorOptions) {
    super(`The backup is damaged: ${what} (${reason}). Use another backup.`, options);
  }
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** A compressed file of lines. */
export interface LineFile {
  readonly file: string;
  readonly lines: number;
  readonly size: number;
  readonly sha256: string;
}

export async function writeLines(
  target: ObjectStore,
  file: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<LineFile> {
  let count = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const line of lines) {
      count += 1;
      yield `${line}\n`;
    }
  }
  const digest = new Digest();
  const body = Readable.from(counted(), { objectMode: true });
  const piped = pipeline(body, createGzip({ level: 4 }), digest);
  // An error of the source of lines ends the writing, and the caller gets that error.
  const written = target.put(file, digest).catch((error: unknown) => {
    body.destroy();
    throw error;
  });
  const [first] = [await Promise.allSettled([piped, written])].map((results) =>
    results.find((result) => result.status === 'rejected'),
  );
  if (first !== undefined) throw first.reason as Error;
  return { file, lines: count, ...digest.result() };
}

/** Throws at the end of the file if it differs from what was written. The compressed data has its own checksum. */
export async function* readLines(
  target: ObjectStore,
  { file, size, sha256 }: Pick<LineFile, 'file' | 'size'> & Partial<LineFile>,
): AsyncGenerator<string> {
  const digest = new Digest();
  const unzipped = createGunzip();
  const piped = pipeline(piecesOf(target, file, size), digest, unzipped);
  piped.catch(() => undefined);
  try {
    yield* splitLines(unzipped);
    await piped;
  } catch (cause) {
    throw new DamagedBackupError(file, errorMessage(cause), { cause });
  } finally {
    unzipped.destroy();
  }
  if (sha256 !== undefined && digest.result().sha256 !== sha256)
    throw new DamagedBackupError(file, 'its checksum differs');
}

/** Reads each part as a whole, because hours may pass between two lines, and servers close a download that is not read for so long. */
async function* piecesOf(target: ObjectStore, file: string, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < size; start += PIECE_BYTES)
    yield await target.read(file, { start, end: Math.min(size, start + PIECE_BYTES) - 1 });
}

/** Splits only at line feeds: JSON may contain other characters that some readers treat as line ends. */
async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}

/** Passes bytes through and computes their number and checksum. */
export class Digest extends Transform {
  private readonly hash = createHash('sha256');
  private size = 0;
  private sha256: string | undefined;

  override _transform(chunk: Buffer, _encoding: string, next: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    this.size += chunk.length;
    next(null, chunk);
  }

  result(): { size: number; sha256: string } {
    this.sha256 ??= this.hash.digest('hex');
    return { size: this.size, sha256: this.sha256 };
  }
}

export async function digestOf(bytes: Readable): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
