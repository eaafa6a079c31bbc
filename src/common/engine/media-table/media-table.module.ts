import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration';
import type { ObjectStore } from '../../platform/storage/object-store';
import { OBJECT_STORE } from '../../platform/storage/storage.module';
import { MediaTableStore } from './media-table-store';

const PREFIX = 'tables/';

@Global()
@Module({
  providers: [
    {
      provide: MediaTableStore,
      inject: [OBJECT_STORE, CONFIGURATION],
      useFactory: (store: ObjectStore, { callTimeoutMs }: Configuration) =>
        new MediaTableStore(store.lanceLocation(PREFIX), { readLimitMs: callTimeoutMs }),
    },
  ],
  exports: [MediaTableStore],
})
export class MediaTableModule {}
