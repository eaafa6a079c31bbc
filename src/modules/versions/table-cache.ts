import type { MediaTable } from '../../common/engine/media-table/media-table';
import { versionName } from '../../common/engine/media-table/table-version';
import { BoundedCache, type CacheUsage } from '../../common/platform/cache/bounded-cache';

/** An LRU cache of what is read from table versions, within a budget of bytes that all datasets share. The last one is kept whatever it takes. */
export class TableCache<T> {
  private readonly kept: BoundedCache<T>;

  constructor(
    budgetBytes: number,
    private readonly load: (table: MediaTable) => Promise<T>,
    bytesOf: (loaded: T) => number,
  ) {
    this.kept = new BoundedCache(budgetBytes, bytesOf, { keepsLast: true });
  }

  get usage(): CacheUsage {
    return this.kept.usage;
  }

  of(table: MediaTable): Promise<T> {
    return this.kept.getOrLoad(versionName(table.at), () => this.load(table));
  }
}
