import { Global, Module } from '@nestjs/common';
import type { ObjectStore } from '../storage/object-store';
import { OBJECT_STORE } from '../storage/storage.module';
import { MediaTableStore } from './media-table-store';

const PREFIX = 'tables/';

@Global()
@Module({
  providers: [
    {
      provide: MediaTableStore,
      inject: [OBJECT_STORE],
      useFactory: (store: ObjectStore) => new MediaTableStore(store.lanceLocation(PREFIX)),
    },
  ],
  exports: [MediaTableStore],
})
export class MediaTableModule {}
