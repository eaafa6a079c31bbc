import type { Readable } from 'node:stream';
import { StartError } from '../config/configuration-error';
import { OutageError, UnrecoverableError } from '../outage/outage';
import type { Reachability } from '../outage/reachability';

/** Data that the database refers to is missing or unreadable in the store. The message is sent to the caller. */
export class DamagedDataError extends UnrecoverableError {
  override readonly status = 500;

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is missing or damaged in the store. Restore it from a backup, or delete the dataset.`, options);
  }
}

export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly lastModified: Date;
  /** Derived from the extension of the key. */
  readonly contentType: string | null;
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** Pass it as `after` to get the next page; absent on the last page. */
  readonly next?: string;
}

export interface ByteRange {
  readonly start: number;
  /** Inclusive, as in HTTP. */
  readonly end: number;
}

export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  readonly contentType?: string;
  /** If set, browsers download the object under this name. */
  readonly downloadName?: string;
}

/** The location in which Lance finds the files below a prefix of this store. */
export interface LanceLocation {
  readonly uri: string;
  readonly storageOptions: Readonly<Record<string, string>>;
  /** Tracks whether the store is reachable; absent for a local store. */
  readonly reachability?: Reachability;
}

/** A promise only if the store must be called before the first URL. A page of Explore has 1,800 URLs, and creating a promise takes as long as signing one. */
export type SignedUrl = string | Promise<string>;

/**
 * The storage of all binary data: originals, thumbnails, chunks of unfinished work, Lance tables and exports. Keys are relative paths with slashes,
 * without `..`. A put is atomic.
 */
export interface ObjectStore {
  /** Throws ObjectExistsError with `ifAbsent`, and StoreFullError if there is no space. */
  put(key: string, body: Readable | Uint8Array, options?: { ifAbsent?: boolean }): Promise<StoredObject>;
  /** Throws ObjectNotFoundError, and RangeNotSatisfiableError if the range begins beyond the end. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** The same in memory, which takes less time than a stream. */
  read(key: string, range?: ByteRange): Promise<Buffer>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Keys are listed in the order of their UTF-8 bytes. */
  list(prefix: string, options?: { after?: string; limit?: number }): Promise<ObjectPage>;
  copy(from: string, to: string): Promise<void>;
  /** Ignores missing keys. */
  delete(keys: readonly string[]): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  /** Removes temporary files of dead processes, if the store has such files. */
  removeUnfinished(): Promise<void>;
  signedUrl(key: string, options: SignedUrlOptions): SignedUrl;
  lanceLocation(prefix: string): LanceLocation;
  /** The local path of the object, if the store keeps objects as plain files. */
  localPath(key: string): string | undefined;
  /** Throws a one-sentence error if the store cannot be used (no access, no conditional writes, full). */
  check(): Promise<void>;
}

export class ObjectNotFoundError extends DamagedDataError {
  constructor(key: string) {
    super(`The object ${key}`);
  }
}

export class ObjectExistsError extends Error {
  constructor(key: string) {
    super(`An object already exists at ${key}`);
  }
}

export class RangeNotSatisfiableError extends Error {
  constructor(what: string, range: ByteRange) {
    super(`${what} has no bytes from ${range.start} to ${range.end}`);
  }
}

export class InvalidKeyError extends Error {
  constructor(key: string, reason: string) {
    super(`${JSON.stringify(key)} is not a valid key of the store: it ${reason}`);
  }
}

export class StoreFullError extends OutageError {
  constructor(store: string, options?: ErrorOptions) {
    const sentence = `The store ${store} is full: make room or give it more, then try again`;
    super(`room in the store ${store}`, `${sentence}.`, sentence, options);
  }
}

/** The store cannot be used. The message is one sentence for the operator who starts the service. */
export class StoreUnusableError extends StartError {}

/** Deletes those objects below a prefix that `unneeded` returns of each page. Returns how many. */
export async function deleteUnneeded(
  store: ObjectStore,
  prefix: string,
  unneeded: (objects: readonly StoredObject[]) => Promise<readonly string[]>,
): Promise<number> {
  let deleted = 0;
  let after: string | undefined;
  do {
    const page = await store.list(prefix, after === undefined ? {} : { after });
    const keys = await unneeded(page.objects);
    await store.delete(keys);
    deleted += keys.length;
    after = page.next;
  } while (after !== undefined);
  return deleted;
}

/** Yields all objects in the order of their keys; reads one page at a time. */
export async function* everyObject(store: ObjectStore, prefix: string): AsyncGenerator<StoredObject> {
  let after: string | undefined;
  do {
    const page = await store.list(prefix, after === undefined ? {} : { after });
    yield* page.objects;
    after = page.next;
  } while (after !== undefined);
}
