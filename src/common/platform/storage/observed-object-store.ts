import type { Readable } from 'node:stream';
import { observeCall } from '../observability/observed-calls';
import { isUnrecoverable, outageOf } from '../outage/outage';
import { ObjectExistsError, ObjectNotFoundError } from './object-store';
import type {
  ByteRange,
  LanceLocation,
  ObjectPage,
  ObjectStore,
  SignedUrl,
  SignedUrlOptions,
  StoredObject,
} from './object-store';

function outcomeOf(error: unknown): string {
  if (error instanceof ObjectNotFoundError) return 'not_found';
  if (error instanceof ObjectExistsError) return 'exists';
  if (outageOf(error) !== undefined) return 'outage';
  return isUnrecoverable(error) ? 'refused' : 'failed';
}

const observed = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
  observeCall('store', operation, work, outcomeOf);

/** Measures the calls to a store. The time of `get` ends when the bytes begin. */
export class ObservedObjectStore implements ObjectStore {
  constructor(private readonly store: ObjectStore) {}

  put(key: string, body: Readable | Uint8Array, options?: { ifAbsent?: boolean }): Promise<StoredObject> {
    return observed('put', () => this.store.put(key, body, options));
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return observed('get', () => this.store.get(key, range));
  }

  head(key: string): Promise<StoredObject | undefined> {
    return observed('head', () => this.store.head(key));
  }

  list(prefix: string, options?: { after?: string; limit?: number }): Promise<ObjectPage> {
    return observed('list', () => this.store.list(prefix, options));
  }

  copy(from: string, to: string): Promise<void> {
    return observed('copy', () => this.store.copy(from, to));
  }

  delete(keys: readonly string[]): Promise<void> {
    return observed('delete', () => this.store.delete(keys));
  }

  deletePrefix(prefix: string): Promise<void> {
    return observed('delete_prefix', () => this.store.deletePrefix(prefix));
  }

  removeUnfinished(): Promise<void> {
    return this.store.removeUnfinished();
  }

  signedUrl(key: string, options: SignedUrlOptions): SignedUrl {
    return this.store.signedUrl(key, options);
  }

  lanceLocation(prefix: string): LanceLocation {
    return this.store.lanceLocation(prefix);
  }

  localPath(key: string): string | undefined {
    return this.store.localPath(key);
  }

  check(): Promise<void> {
    return observed('check', () => this.store.check());
  }
}
