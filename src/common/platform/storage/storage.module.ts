import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Global, Inject, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { AWAITED_CALLS } from './folder/file-calls';
import { createStorage, type Storage, type StorageConfig } from './create-storage';
import {
  type ObjectStore,
  ObjectExistsError,
  ObjectNotFoundError,
  type ByteRange,
  type LanceLocation,
  type ObjectPage,
  type SignedUrl,
  type SignedUrlOptions,
  type StoredObject,
} from './object-store';
import { SignedMediaController } from './links/signed-media.controller';
import { MediaSources } from './sources/source-files';
import { UrlSigner } from './links/url-signer';
import { observeCall } from '../observability/observed-calls';
import { isUnrecoverable, outageOf } from '../outage/outage';
import { errorMessage } from '../errors/error-code';

const observed = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
  observeCall('store', operation, work, outcomeOf);

/** Measures the calls to a store. The duration of `get` ends with the first byte. */
export class ObservedObjectStore implements ObjectStore {
  constructor(private readonly store: ObjectStore) {}

  put(key: string, body: Readable | Uint8Array, options?: { ifAbsent?: boolean }): Promise<StoredObject> {
    return observed('put', () => this.store.put(key, body, options));
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return observed('get', () => this.store.get(key, range));
  }

  read(key: string, range?: ByteRange): Promise<Buffer> {
    return observed('read', () => this.store.read(key, range));
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

export const STORAGE_CONFIG = Symbol('StorageConfig');
export const OBJECT_STORE = Symbol('ObjectStore');
const STORAGE = Symbol('Storage');

@Global()
@Module({
  controllers: [SignedMediaController],
  providers: [
    {
      provide: STORAGE,
      inject: [STORAGE_CONFIG],
      useFactory: (config: StorageConfig) => createStorage(config, AWAITED_CALLS, new Logger('Outage')),
    },
    { provide: OBJECT_STORE, inject: [STORAGE], useFactory: ({ store }: Storage) => new ObservedObjectStore(store) },
    { provide: MediaSources, inject: [STORAGE], useFactory: ({ sources }: Storage) => sources },
    { provide: UrlSigner, inject: [STORAGE], useFactory: ({ signer }: Storage) => signer },
  ],
  exports: [OBJECT_STORE, MediaSources, UrlSigner],
})
export class StorageModule implements OnModuleInit {
  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  async onModuleInit(): Promise<void> {
    await waitForStore(this.store);
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof ObjectNotFoundError) return 'not_found';
  if (error instanceof ObjectExistsError) return 'exists';
  if (outageOf(error) !== undefined) return 'outage';
  return isUnrecoverable(error) ? 'refused' : 'failed';
}

const FIRST_PAUSE_MS = 100;
const MAX_DELAY_MS = 2_000;
const LOG_EVERY_MS = 5_000;

const logger = new Logger('Store');

/** Resolves when the store can be used; rejects with a one-sentence error if the store responds but cannot be used. */
export async function waitForStore(store: ObjectStore, maxWaitMs = Infinity): Promise<void> {
  const since = new Date();
  let loggedAt = -Infinity;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_DELAY_MS)) {
    try {
      await store.check();
      return;
    } catch (error) {
      if (outageOf(error) === undefined || Date.now() + pause > since.getTime() + maxWaitMs) throw error;
      if (Date.now() - loggedAt >= LOG_EVERY_MS) {
        loggedAt = Date.now();
        logger.warn(`Waiting for the store since ${since.toISOString()}: ${errorMessage(error)}`);
      }
      await delay(pause);
    }
  }
}
