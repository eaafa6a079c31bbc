import { Inject, Injectable } from '@nestjs/common';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { BoundedCache, type CacheUsage } from '../../common/platform/cache/bounded-cache';
import { CONFIGURATION } from '../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../common/platform/config/memory-sizes';
import { SourceAnnotations } from './annotations/source-annotations';
import { ExploreIndexCache } from './clusters/explore-index-cache';
import type { FolderIndex } from './columns/domain/folder-index';
import { bytesOfMeasures, type MeasureColumns } from './columns/domain/measure-columns';
import { loadFolders, loadMeasures } from './columns/measure-columns-loader';
import { OutcomeCache } from './evaluations/outcome-cache';
import { MetadataColumns } from './columns/metadata-columns';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import type { MapIndex, MapPlaces } from './map/domain/map-index';
import { PreviewCardCache } from './preview-cards';
import { TagAssignmentsCache } from './tags/tag-files';
import { NO_PLACE, PLACE_COLUMNS } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { versionName } from '../../common/engine/media-table/table-version';
import type { VectorColumn } from '../../common/engine/vectors/vector-source';
import { beforeReadingAhead } from '../../common/platform/concurrency/in-slices';
import type { DatasetPointer } from '../datasets';
import { encoderOf } from './vectors/text-vectors';
import { CacheMetrics } from '../../common/platform/observability/metrics';

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
    readonly annotations: SourceAnnotations,
    readonly outcomes: OutcomeCache,
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

/** Names the caches in metrics as `EXPLORE_SHARES` does. */
@Injectable()
export class VersionCacheMetrics {
  constructor(metrics: CacheMetrics, caches: VersionCaches) {
    for (const name of [
      'indexes',
      'cards',
      'measures',
      'folders',
      'metadata',
      'tags',
      'annotations',
      'outcomes',
      'duplicates',
      'vectors',
    ] as const)
      metrics.add(name, () => caches[name].usage);
    for (const name of ['places', 'maps'] as const) metrics.add('map', () => caches[name].usage);
  }
}

/** Loads in the background what searches by image or text will need. A failure is ignored: the next search reports it. */
class VectorsAhead {
  /** The columns whose index is being read, or was. */
  private readonly indexes = new WeakMap<MediaTable, Set<VectorColumn>>();

  constructor(private readonly vectors: Pick<VectorCache, 'prepare' | 'holdsColumn'>) {}

  prepare(pointer: DatasetPointer, table: MediaTable): void {
    this.prepareColumn(table, 'embedding');
    if (encoderOf(pointer, table) !== undefined) this.prepareColumn(table, 'multimodal_embedding');
    table.hasCaptions().then(
      (has) => has && this.prepareColumn(table, 'caption_embedding'),
      () => undefined,
    );
  }

  private prepareColumn(table: MediaTable, column: VectorColumn): void {
    if (this.vectors.holdsColumn(table, column)) {
      this.vectors.prepare(table, column);
      return;
    }
    const ahead = this.indexes.get(table) ?? new Set();
    if (ahead.has(column)) return;
    this.indexes.set(table, ahead.add(column));
    beforeReadingAhead()
      .then(() => table.loadNearestIndex(column))
      .catch(() => undefined);
  }
}

/** An LRU cache of what is read from table versions, within a budget of bytes that all datasets share. The last one is kept whatever it takes. */
class TableCache<T> {
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

async function loadPlaces(table: MediaTable): Promise<MapPlaces> {
  const [x, y] = [new Float32Array(table.rows).fill(NaN), new Float32Array(table.rows).fill(NaN)];
  if (!table.has('mapPlace')) return { x, y };
  for await (const { first, columns } of table.readColumns(PLACE_COLUMNS, { absent: NO_PLACE })) {
    x.set(columns['map_x'] as Float32Array, first);
    y.set(columns['map_y'] as Float32Array, first);
  }
  return { x, y };
}
