import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import type { DatasetPointer } from '../datasets';
import { ExploreIndexCache } from './explore-index-cache';
import { OpenedVersion } from './opened-version';
import { SearchParts } from './search-parts';

/** Opens the version of a pointer for the duration of `work`. */
@Injectable()
export class VersionOpener {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly indexes: ExploreIndexCache,
    private readonly parts: SearchParts,
  ) {}

  /** Every search is exact. */
  use<T>(pointer: DatasetPointer, work: (version: OpenedVersion) => Promise<T>): Promise<T> {
    return this.open(pointer, false, work);
  }

  /** For answers that say so if a search may have missed something (`recall`), because it is of more vectors than fit into memory. */
  browse<T>(pointer: DatasetPointer, work: (version: OpenedVersion) => Promise<T>): Promise<T> {
    return this.open(pointer, true, work);
  }

  private async open<T>(
    pointer: DatasetPointer,
    mayApproximate: boolean,
    work: (version: OpenedVersion) => Promise<T>,
  ): Promise<T> {
    const table = await this.tables.open(pointer);
    const index = await this.indexes.open(table);
    return OpenedVersion.use({ pointer, table, index, parts: this.parts, mayApproximate }, work);
  }
}
