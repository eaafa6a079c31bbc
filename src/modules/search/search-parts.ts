import { Inject, Injectable } from '@nestjs/common';
import { BoundedCache, type CacheUsage } from '../../common/platform/cache/bounded-cache';
import { CONFIGURATION } from '../../common/platform/config/configuration';
import { beforeReadingAhead } from '../../common/platform/concurrency/before-reading-ahead';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import type { NearestIndex } from '../../common/engine/media-table/nearest-index';
import { versionName } from '../../common/engine/media-table/table-version';
import { VECTOR_FIELDS, type VectorColumn } from '../../common/engine/vectors/table-vectors';
import { VectorCache, type ScannableVectors } from '../../common/engine/vectors/vector-cache';
import type { DatasetPointer } from '../datasets';
import type { EntityType } from './domain/entity-type';
import type { FolderIndex } from './domain/folder-index';
import { bytesOfMeasures, type MeasureColumns } from './domain/measure-columns';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import type { DuplicateGroups } from './duplicates/duplicate-groups';
import { loadFolders, loadMeasures } from './measure-columns-loader';
import { MapParts } from './map/map-parts';
import { bytesFor, type ExploreMemory } from './memory-shares';
import { MetadataColumns } from './metadata-columns';
import { PreviewCardCache, type PreviewCards } from './preview-cards';
import type { VersionParts } from './opened-version';
import type { TagAssignments } from './tags/domain/tag-assignments';
import { TagAssignmentsCache } from './tags/tag-assignments-cache';
import { encoderOf, TextVectors, type TextVector } from './text-vectors';

/** The in-memory parts of versions, each within a budget of bytes that all datasets share. */
@Injectable()
export class SearchParts implements VersionParts {
  readonly metadata: MetadataColumns;
  readonly map: MapParts;
  private readonly cardsKept: PreviewCardCache;
  private readonly measuresKept: BoundedCache<MeasureColumns>;
  private readonly foldersKept: BoundedCache<FolderIndex>;
  /** The columns whose index is, or was, read ahead. */
  private readonly indexesAhead = new WeakMap<MediaTable, Set<VectorColumn>>();

  constructor(
    @Inject(CONFIGURATION) memory: ExploreMemory,
    private readonly vectors: VectorCache,
    private readonly tagsKept: TagAssignmentsCache,
    private readonly duplicatesKept: DuplicateGroupsCache,
    private readonly texts: TextVectors,
  ) {
    this.cardsKept = new PreviewCardCache(bytesFor('cards', memory));
    this.measuresKept = new BoundedCache(bytesFor('measures', memory), bytesOfMeasures, { keepsLast: true });
    this.metadata = new MetadataColumns(bytesFor('metadata', memory));
    this.map = new MapParts(bytesFor('map', memory));
    this.foldersKept = new BoundedCache(bytesFor('folders', memory), ({ bytes }) => bytes, { keepsLast: true });
  }

  /** Of the caches that only this class has, by name. */
  get usages(): Readonly<Record<'cards' | 'measures' | 'folders' | 'metadata' | 'map', CacheUsage>> {
    return {
      cards: this.cardsKept.usage,
      measures: this.measuresKept.usage,
      folders: this.foldersKept.usage,
      metadata: this.metadata.usage,
      map: this.map.usage,
    };
  }

  cards(table: MediaTable): PreviewCards | undefined {
    return this.cardsKept.get(table);
  }

  measures(table: MediaTable): Promise<MeasureColumns> {
    return this.measuresKept.getOrLoad(versionName(table.at), () => loadMeasures(table));
  }

  folders(table: MediaTable): Promise<FolderIndex> {
    return this.foldersKept.getOrLoad(versionName(table.at), () => loadFolders(table));
  }

  tags(pointer: DatasetPointer): Promise<TagAssignments> {
    return this.tagsKept.open(pointer);
  }

  duplicates(table: MediaTable, entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.duplicatesKept.open(table, entityType, similarity);
  }

  prepareVectors(pointer: DatasetPointer, table: MediaTable): void {
    this.prepare(table, 'embedding');
    if (encoderOf(pointer, table) !== undefined) this.prepare(table, 'multimodal_embedding');
    table.hasCaptions().then(
      (has) => has && this.prepare(table, 'caption_embedding'),
      // A search by text will tell.
      () => undefined,
    );
  }

  private prepare(table: MediaTable, column: VectorColumn): void {
    if (this.isHeld(table, column)) {
      this.vectors.prepare(table, column);
      return;
    }
    const ahead = this.indexesAhead.get(table) ?? new Set();
    if (ahead.has(column)) return;
    this.indexesAhead.set(table, ahead.add(column));
    beforeReadingAhead()
      .then(() => table.loadNearestIndex(column))
      // A search will tell.
      .catch(() => undefined);
  }

  private isHeld(table: MediaTable, column: VectorColumn): boolean {
    const dimension = table.dimensions[VECTOR_FIELDS[column]];
    return dimension === undefined || this.vectors.holds({ rows: table.rows, dimension });
  }

  useVectors<T>(
    table: MediaTable,
    column: VectorColumn,
    use: (vectors: ScannableVectors) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    return this.vectors.use(table, column, use, patienceMs);
  }

  async nearestIndex(table: MediaTable, column: VectorColumn): Promise<NearestIndex | undefined> {
    return this.isHeld(table, column) ? undefined : table.nearestIndex(column);
  }

  textVectors(pointer: DatasetPointer, table: MediaTable, text: string): Promise<readonly TextVector[]> {
    return this.texts.of(pointer, table, text);
  }
}
