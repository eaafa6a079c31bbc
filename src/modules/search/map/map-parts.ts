import { NO_PLACE, PLACE_COLUMNS } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { versionName } from '../../../common/engine/media-table/table-version';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import { KINDS_OF, type EntityType } from '../domain/entity-type';
import type { ExploreIndex } from '../domain/explore-index';
import type { ColourColumn } from './domain/map-colours';
import { MapIndex } from './domain/map-index';
import type { MapPlaces } from './domain/map-places';

/** The rows that match a search, for the tiles of a view. */
export interface MatchingRows {
  /** Undefined if all rows match. */
  readonly rows: OrdinalSet | undefined;
  /** Of the type that was asked for. */
  readonly count: number;
  /** Set if the search may have missed some. */
  readonly recall: number | undefined;
}

const ENTRY_BYTES = 100;

/** What maps need of the versions of datasets, within a budget of bytes. */
export class MapParts {
  private readonly placesKept: BoundedCache<MapPlaces>;
  private readonly indexes: BoundedCache<MapIndex>;
  readonly colours: BoundedCache<ColourColumn>;
  readonly matches: BoundedCache<MatchingRows>;

  constructor(budgetBytes: number) {
    this.placesKept = new BoundedCache((3 / 8) * budgetBytes, ({ x, y }) => x.byteLength + y.byteLength, {
      keepsLast: true,
    });
    this.indexes = new BoundedCache((3 / 8) * budgetBytes, ({ bytes }) => bytes, { keepsLast: true });
    this.colours = new BoundedCache(budgetBytes / 8, ({ bytes }) => bytes + ENTRY_BYTES);
    this.matches = new BoundedCache(budgetBytes / 8, ({ rows }) => (rows?.bytes ?? 0) + ENTRY_BYTES);
  }

  get usage(): CacheUsage {
    const usages = [this.placesKept, this.indexes, this.colours, this.matches].map(({ usage }) => usage);
    const sum = (of: (usage: CacheUsage) => number): number => usages.reduce((total, usage) => total + of(usage), 0);
    return { hits: sum(({ hits }) => hits), misses: sum(({ misses }) => misses), bytes: sum(({ bytes }) => bytes) };
  }

  places(table: MediaTable): Promise<MapPlaces> {
    return this.placesKept.getOrLoad(versionName(table.at), () => loadPlaces(table));
  }

  index(table: MediaTable, index: ExploreIndex, type: EntityType): Promise<MapIndex> {
    return this.indexes.getOrLoad(`${versionName(table.at)} ${type}`, async () =>
      MapIndex.build(await this.places(table), await index.rowsOf(KINDS_OF[type])),
    );
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
