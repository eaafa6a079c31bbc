import { createHash, randomUUID } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { DomainError } from '../errors/domain-error';
import type { ObjectStore } from './object-store';

export const STAGING_PREFIX = 'staging/';

/** A file under a temporary key of the store. */
export interface StagedFile {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

export interface StagingRule {
  /** The prefix of the temporary key. */
  readonly below?: string;
  readonly maxBytes?: number;
}

export const newStagingKey = (below = STAGING_PREFIX): string => `${below}${randomUUID()}`;

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError(413, `A file is larger than the ${maxBytes} bytes that are allowed here`);

/** Streams into the store and hashes on the way, without buffering the file. Removes incomplete files. */
export async function stageFile(
  store: ObjectStore,
  source: Readable,
  { below, maxBytes = Infinity }: StagingRule = {},
): Promise<StagedFile> {
  const key = newStagingKey(below);
  const hash = createHash('sha256');
  let arrived = 0;
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      arrived += chunk.length;
      next(arrived > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  // If the stream fails before the store reads it, the error would have no listener and end the process.
  hashed.on('error', () => undefined);
  source.once('error', (error) => hashed.destroy(error));
  source.once('close', () => {
    if (!source.readableEnded) hashed.destroy(new Error('The upload was interrupted'));
  });
  const { size } = await store.put(key, source.pipe(hashed));
  return { key, size, sha256: hash.digest('hex') };
}

/**
 * Deletes staged files at the end of a request. Never fails: otherwise a completed request would get an error response, or the reason of a refusal
 * would be lost. A sweep removes the remaining files.
 */
export async function dropStagedFiles(store: ObjectStore, keys: readonly string[]): Promise<void> {
  await store.delete(keys).catch(() => undefined);
}
