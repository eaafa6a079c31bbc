import type { Readable } from 'node:stream';
import { StartError } from '../config/start-error';
import { DamagedDataError } from './damaged-data';
import { OutageError } from '../outage/outage';
import type { Reachability } from '../outage/reachability';

export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly lastModified: Date;
  /** Told by the key's extension. */
  readonly contentType: string | null;
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** Pass back as `after` for the next page; absent on the last. */
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
  /** When given, the browser is told to save under this name. */
  readonly downloadName?: string;
}

/** Where Lance finds the files below a prefix of this store. */
export interface LanceLocation {
  readonly uri: string;
  readonly storageOptions: Readonly<Record<string, string>>;
  /** Of a store that may be away. */
  readonly reachability?: Reachability;
}

/**
 * The bytes of the service: originals, thumbnails, chunks of unfinished work, Lance tables, exports.
 * Keys are slash-separated, relative, without `..`. A put is seen whole or not at all.
 */
export interface ObjectStore {
  /** Throws ObjectExistsError with `ifAbsent`, StoreFullError when there is no room. */
  put(key: string, body: Readable | Uint8Array, options?: { ifAbsent?: boolean }): Promise<StoredObject>;
  /** Throws ObjectNotFoundError, and RangeNotSatisfiableError when the range begins behind the end. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** In the order of the keys' UTF-8 bytes. */
  list(prefix: string, options?: { after?: string; limit?: number }): Promise<ObjectPage>;
  copy(from: string, to: string): Promise<void>;
  /** Missing keys are no error. */
  delete(keys: readonly string[]): Promise<void>;
  deletePrefix(prefix: string): Promise<void>;
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>;
  lanceLocation(prefix: string): LanceLocation;
  /** Where the object lies as a plain file of this machine, when the store keeps plain files. */
  localPath(key: string): string | undefined;
  /** Throws with one clear sentence when the store can't be used (no access, no conditional writes, full). */
  check(): Promise<void>;
}

export class ObjectNotFoundError extends DamagedDataError {
  constructor(key: string) {
    super(`The object ${key}`);
  }
}

export class ObjectExistsError extends Error {
  constructor(key: string) {
    super(`An object exists at ${key}`);
  }
}

export class RangeNotSatisfiableError extends Error {
  constructor(what: string, range: ByteRange) {
    super(`${what} has no bytes from ${range.start} to ${range.end}`);
  }
}

export class InvalidKeyError extends Error {
  constructor(key: string, reason: string) {
    super(`${JSON.stringify(key)} is no key of the store: it ${reason}`);
  }
}

export class StoreFullError extends OutageError {
  constructor(store: string, options?: ErrorOptions) {
    const sentence = `The store ${store} is full: make room or give it more, then try again`;
    super(`room in the store ${store}`, `${sentence}.`, sentence, options);
  }
}

/** The store can't be used; the message is one sentence for the person who starts the service. */
export class StoreUnusableError extends StartError {}
