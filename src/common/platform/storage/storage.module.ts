import { Global, Inject, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { AWAITED_CALLS } from './folder/file-calls';
import { createStorage, type Storage, type StorageConfig } from './create-storage';
import type { ObjectStore } from './object-store';
import { ObservedObjectStore } from './observed-object-store';
import { SignedMediaController } from './links/signed-media.controller';
import { MediaSources } from './sources/source-files';
import { UrlSigner } from './links/url-signer';
import { waitForStore } from './wait-for-store';

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
