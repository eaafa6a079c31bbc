import { Inject, Injectable } from '@nestjs/common';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import { CONFIGURATION } from '../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../common/platform/config/memory-sizes';
import { ExploreIndexCache } from './clusters/explore-index-cache';
import type { FolderIndex } from './columns/domain/folder-index';
import { bytesOfMeasures, type MeasureColumns } from './columns/domain/measure-columns';
import { loadFolders, loadMeasures } from './columns/measure-columns-loader';
import { MetadataColumns } from './columns/metadata-columns';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import type { MapIndex } from './map/domain/map-index';
import type { MapPlaces } from './map/domain/map-places';
import { loadPlaces } from './map/map-places-loader';
import { PreviewCardCache } from './preview-cards';
import { TableCache } from './table-cache';
import { TagAssignmentsCache } from './tags/tag-assignments-cache';
import { VectorsAhead } from './vectors/vectors-ahead';

/** What is in memory of versions, each part within a budget of bytes that all datasets share. */
@Injectable()
export class VersionCaches {
  readonly cards: PreviewCardCache;
  readonly measures: TableCache<MeasureColumns>;
  readonly folders: TableCache<FolderIndex>;
  readonly metadata: MetadataColumns;
  readonly places: TableCache<MapPlaces>;
  readonly maps: BoundedCache<MapIndex>;
  readonly ahead: VectorsAhead;

  constructor(
    @Inject(CONFIGURATION) memory: ExploreMemory,
    readonly indexes: ExploreIndexCache,
    @Inject(VectorCache) readonly vectors: Pick<VectorCache, 'use' | 'prepare' | 'holdsColumn' | 'usage'>,
    readonly tags: TagAssignmentsCache,
    readonly duplicates: DuplicateGroupsCache,
  ) {
    const mapBytes = bytesFor('map', memory);
    this.cards = new PreviewCardCache(bytesFor('cards', memory));
    this.measures = new TableCache(bytesFor('measures', memory), loadMeasures, bytesOfMeasures);
    this.folders = new TableCache(bytesFor('folders', memory), loadFolders, ({ bytes }) => bytes);
    this.metadata = new MetadataColumns(bytesFor('metadata', memory));
    this.places = new TableCache((3 / 8) * mapBytes, loadPlaces, ({ x, y }) => x.byteLength + y.byteLength);
    this.maps = new BoundedCache((3 / 8) * mapBytes, ({ bytes }) => bytes, { keepsLast: true });
    this.ahead = new VectorsAhead(vectors);
  }
}
