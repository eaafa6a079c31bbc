import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../common/media-table/media-table-store';
import type { DatasetPointer } from '../datasets';
import { ExploreIndexCache } from './explore-index-cache';
import { OpenedVersion } from './opened-version';
import { SearchParts } from './search-parts';

/** Opens the version that a dataset points at. */
@Injectable()
export class VersionOpener {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly indexes: ExploreIndexCache,
    private readonly parts: SearchParts,
  ) {}

  async open(pointer: DatasetPointer): Promise<OpenedVersion> {
    const table = await this.tables.open(pointer);
    return new OpenedVersion(pointer, table, await this.indexes.open(table), this.parts);
  }
}
