import { Logger } from '@nestjs/common';
import { BoundedCache, type CacheUsage } from '../../common/platform/cache/bounded-cache';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { versionName } from '../../common/engine/media-table/table-version';
import type { ExploreIndex } from './domain/explore-index';
import { loadExploreIndex } from './explore-index-loader';

/** LRU cache of indexes, within a budget of bytes that all datasets share. */
export class ExploreIndexCache {
  private readonly indexes: BoundedCache<ExploreIndex>;

  private readonly logger = new Logger('Explore');

  constructor(private readonly budgetBytes: number) {
    this.indexes = new BoundedCache(budgetBytes, (index) => index.bytes);
  }

  get bytes(): number {
    return this.indexes.weight;
  }

  get usage(): CacheUsage {
    return this.indexes.usage;
  }

  open(table: MediaTable): Promise<ExploreIndex> {
    return this.indexes.getOrLoad(versionName(table.at), () => this.load(table));
  }

  private async load(table: MediaTable): Promise<ExploreIndex> {
    const index = await loadExploreIndex(table);
    if (index.bytes > this.budgetBytes) {
      this.logger.warn(
        `The index of ${index.rows} rows needs ${index.bytes} bytes and exceeds the cache of ${this.budgetBytes}; every page loads it again. Raise EXPLORE_CACHE_BYTES.`,
      );
    }
    return index;
  }
}
