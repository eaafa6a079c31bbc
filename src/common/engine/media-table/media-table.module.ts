import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration';
import { Metrics } from '../../platform/observability/metrics';
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
      useFactory: (store: ObjectStore, { callTimeoutMs, vectorCacheBytes, indexCacheBytes }: Configuration) =>
        new MediaTableStore(store.lanceLocation(PREFIX), {
          readLimitMs: callTimeoutMs,
          searchedInMemoryBytes: vectorCacheBytes,
          indexCacheBytes,
        }),
    },
  ],
  exports: [MediaTableStore],
})
export class MediaTableModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly tables: MediaTableStore,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('media_table_cache_bytes', "Memory of Lance's caches: metadata and indexes of tables", [], () =>
      Promise.resolve([{ labels: {}, value: this.tables.cacheBytes }]),
    );
  }
}
