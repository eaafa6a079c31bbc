import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import type { DatasetPointer } from '../datasets';
import { BatchOfVersion } from './batch/part-of-version';
import { OpenedVersion } from './opened-version';
import { VersionCaches } from './version-caches';
import { TextVectors } from './vectors/text-vectors';

/** Opens the version of a pointer. */
@Injectable()
export class VersionOpener {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly caches: VersionCaches,
    private readonly texts: TextVectors,
  ) {}

  /** Every search is exact. */
  open(pointer: DatasetPointer): Promise<OpenedVersion> {
    return this.opened(pointer, false);
  }

  /** For answers that say so if a search may have missed something (`recall`), because it is of more vectors than fit into memory. */
  openToBrowse(pointer: DatasetPointer): Promise<OpenedVersion> {
    return this.opened(pointer, true);
  }

  /** Only the media that were added with a batch. */
  async openBatch(pointer: DatasetPointer, batchId: string): Promise<BatchOfVersion> {
    const table = await this.tables.open(pointer);
    return BatchOfVersion.open({ pointer, table, caches: this.caches, texts: this.texts }, batchId);
  }

  private async opened(pointer: DatasetPointer, mayApproximate: boolean): Promise<OpenedVersion> {
    const { caches, texts } = this;
    const table = await this.tables.open(pointer);
    const written = await caches.indexes.open(table);
    const truth = await caches.annotations.laterTruth(pointer, table);
    const index = truth === undefined ? written : await truth.over(written);
    return new OpenedVersion({ pointer, table, index, caches, texts, mayApproximate });
  }
}
