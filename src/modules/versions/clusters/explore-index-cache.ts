import { Logger } from '@nestjs/common';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { versionName } from '../../../common/engine/media-table/table-version';
import type { ExploreIndex } from './domain/explore-index';
import { loadExploreIndex } from './explore-index-loader';

interface LoadedIndex {
  readonly table: MediaTable;
  readonly index: ExploreIndex;
}

/** LRU cache of indexes, within a budget of bytes that all datasets share. */
export class ExploreIndexCache {
  private readonly indexes: BoundedCache<LoadedIndex>;

  private readonly logger = new Logger('Explore');

  constructor(private readonly budgetBytes: number) {
    this.indexes = new BoundedCache(budgetBytes, ({ index }) => index.bytes, { keepsLast: true });
  }

  get bytes(): number {
    return this.indexes.weight;
  }

  get usage(): CacheUsage {
    return this.indexes.usage;
  }

  async open(table: MediaTable): Promise<ExploreIndex> {
    const key = versionName(table.at);
    const { index } = await this.indexes.getOrLoad(key, () => this.load(table));
    // It grows with use.
    this.indexes.weighAgain(key);
    return index;
  }

  private async load(table: MediaTable): Promise<LoadedIndex> {
    const index = await loadExploreIndex(table, await this.beginningOf(table));
    if (index.bytes > this.budgetBytes) {
      this.logger.warn(
        `The index of ${index.rows} rows takes ${index.bytes} bytes, more than the ${this.budgetBytes} of all datasets: those of others are read again after it was used. Raise EXPLORE_CACHE_BYTES.`,
      );
    }
    return { table, index };
  }

  /** The index of a version with the same first rows, to which others were added. */
  private async beginningOf(table: MediaTable): Promise<ExploreIndex | undefined> {
    const earlier = this.indexes.findLast(
      (loaded) => loaded.table.at.generation === table.at.generation && loaded.table.rows <= table.rows,
    );
    if (earlier === undefined) return undefined;
    const { rows } = earlier.table;
    const [name, earlierName] = await Promise.all([table.nameOfRows(rows), earlier.table.nameOfRows(rows)]);
    return name === earlierName ? earlier.index : undefined;
  }
}
