import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { DuplicateGroupsCache, TagAssignmentsCache } from '../../versions';
import type { RunningExport } from '../domain/export';
import { exportedRows } from '../exported-rows';
import { ItemReader } from './item-reader';

/** The default similarity of the search for duplicates. */
const DUPLICATE_SIMILARITY = 1;

/** Opens the version of an export. */
@Injectable()
export class ItemReaders {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly assignments: TagAssignmentsCache,
    private readonly duplicates: DuplicateGroupsCache,
  ) {}

  async open({
    version,
    selection,
    embeddingModel,
  }: Pick<RunningExport, 'version' | 'selection' | 'embeddingModel'>): Promise<ItemReader> {
    const { generation, clusteringId, tags } = version;
    const table = await this.tables.open(version);
    return ItemReader.over({
      table,
      clusterings: { generation, clusteringId, objectClusteringId: null },
      tags,
      withEmbeddings: embeddingModel !== null,
      assignments: await this.assignments.open(version),
      duplicates: await this.duplicates.open(table, 'IMAGES', DUPLICATE_SIMILARITY),
      duplicateSimilarity: DUPLICATE_SIMILARITY,
      scope: selection === null ? undefined : await scopeOf(table, selection),
    });
  }
}

async function scopeOf(table: MediaTable, selection: Uint8Array) {
  // The bytes of a database row may be unaligned; copy them for 32-bit access.
  const words = new Uint32Array(Math.ceil(table.rows / 32));
  new Uint8Array(words.buffer).set(selection);
  const selected = OrdinalSet.over(table.rows, words);
  return { selected, items: await exportedRows(table, selected) };
}
