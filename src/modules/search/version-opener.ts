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

  async use<T>(pointer: DatasetPointer, work: (version: OpenedVersion) => Promise<T>): Promise<T> {
    const table = await this.tables.open(pointer);
    return OpenedVersion.use({ pointer, table, index: await this.indexes.open(table), parts: this.parts }, work);
  }
}
