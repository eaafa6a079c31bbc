import { Injectable, Inject } from '@nestjs/common';
import { placeOf, type DatasetPointer } from '../../datasets';
import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import {
  KINDS_OF,
  MAX_ZOOM,
  VersionOpener,
  type MapTile,
  type OpenedVersion,
  type PublishedState,
} from '../../versions';
import type { Preview } from '../explore/found-clusters';
import { readPreviews } from '../media/read-previews';
import { assertSearchable, SearchEngine } from '../query/search-engine';
import { ColourColumn, type LegendEntry } from './domain/map-colours';
import { isSameMap, mapVersionOf, type MapView, tileBytes } from './domain/tile-bytes';
import { colourColumn } from './map-legend';
import { BadRequestError, ConflictError } from '../../../common/platform/errors/domain-error';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { BoundedCache } from '../../../common/platform/cache/bounded-cache';
import { CONFIGURATION } from '../../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../../common/platform/config/memory-sizes';

/** The rows that match a search. */
interface MatchingRows {
  /** Undefined if all rows match. */
  readonly rows: OrdinalSet | undefined;
  /** The number of matching rows of the requested type. */
  readonly count: number;
  /** Set if the search may have missed some. */
  readonly recall: number | undefined;
}

const ENTRY_BYTES = 100;

/** Shared data of the tiles of a view, within a memory limit. */
@Injectable()
export class MapViews {
  readonly colours: BoundedCache<ColourColumn>;
  readonly matches: BoundedCache<MatchingRows>;

  constructor(@Inject(CONFIGURATION) memory: ExploreMemory) {
    const budgetBytes = bytesFor('map', memory) / 8;
    this.colours = new BoundedCache(budgetBytes, ({ bytes }) => bytes + ENTRY_BYTES);
    this.matches = new BoundedCache(budgetBytes, ({ rows }) => (rows?.bytes ?? 0) + ENTRY_BYTES);
  }
}

export class MapChangedError extends ConflictError {
  constructor() {
    super('The dataset has changed since this map was made. Ask for the map again, and use its map_version.');
  }
}

export class NoSuchTileError extends BadRequestError {
  constructor({ z, x, y }: MapTile) {
    super(`The map has no tile ${z}/${x}/${y}: z is 0 to ${MAX_ZOOM}, and x and y are 0 to 2^z - 1.`);
  }
}

export class NoSuchRowError extends BadRequestError {
  constructor(row: number, rows: number) {
    super(`The dataset has no row ${row}: its rows are numbered from 0, and it has ${rows}.`);
  }
}

export const POINTS_PER_TILE = 8192;

export interface MapOverview {
  readonly mapVersion: string;
  readonly total: number;
  readonly placed: number;
  readonly matching: number;
  readonly legend: readonly LegendEntry[];
  /** Set if the search may have missed some matches. */
  readonly recall: number | undefined;
}

export interface AskedTile extends MapView {
  readonly tile: MapTile;
  readonly mapVersion: string | undefined;
}

export interface EncodedTile {
  readonly mapVersion: string;
  readonly bytes: Buffer;
}

export interface AskedMedia {
  readonly rows: readonly number[];
  readonly mapVersion: string | undefined;
}

const NOTHING = { total: 0, placed: 0, matching: 0, legend: [], recall: undefined };

/** Serves tiles from the version in memory. The rows that match a search are found once for all tiles of a view. */
@Injectable()
export class MapService {
  constructor(
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
    private readonly views: MapViews,
  ) {}

  async overview({ datasetId, pointer, status }: PublishedState, asked: MapView): Promise<MapOverview> {
    assertSearchable(asked.query, status);
    const view = await this.withEvaluations(datasetId, asked);
    const mapVersion = mapVersionOf(pointer, view);
    if (pointer === null) return { mapVersion, ...NOTHING };
    using version = await this.versions.openToBrowse(pointer);
    const { entityType } = view.query;
    const { legend } = await this.coloursOf(version, view);
    const { count: matching, recall } = await this.matching(datasetId, version, view);
    const { placed } = await version.map(entityType);
    const total = (await version.index.rowsOf(KINDS_OF[entityType])).size;
    return { mapVersion, total, placed, matching, legend, recall };
  }

  async tile({ datasetId, pointer, status }: PublishedState, { tile, ...view }: AskedTile): Promise<EncodedTile> {
    assertIsTile(tile);
    assertSearchable(view.query, status);
    const asked = await this.withEvaluations(datasetId, view);
    const { query } = asked;
    const mapVersion = currentVersion(pointer, asked.mapVersion, asked);
    if (pointer === null) return { mapVersion, bytes: NO_POINTS(tile) };
    using version = await this.versions.openToBrowse(pointer);
    const places = await version.places();
    const index = await version.map(query.entityType);
    const colours = await this.coloursOf(version, asked);
    const { rows: matches } = await this.matching(datasetId, version, asked);
    await yieldTurn();
    const points = index.tile(tile, POINTS_PER_TILE);
    return { mapVersion, bytes: tileBytes({ tile, points, places, colours, matches }) };
  }

  /** In the order of `rows`. */
  async media({ pointer }: PublishedState, { rows, mapVersion }: AskedMedia): Promise<Preview[]> {
    currentVersion(pointer, mapVersion);
    if (pointer === null) return [];
    using version = await this.versions.open(pointer);
    const unknown = rows.find((row) => row >= version.rows);
    if (unknown !== undefined) throw new NoSuchRowError(unknown, version.rows);
    return (await readPreviews(version, [rows.map((ordinal) => ({ ordinal, score: null }))]))[0]!;
  }

  private async withEvaluations<View extends MapView>(datasetId: string, view: View): Promise<View> {
    const query = await this.engine.withEvaluations(datasetId, view.query);
    if (view.evaluation === undefined) return { ...view, query };
    return { ...view, query, evaluated: await this.engine.evaluated(datasetId, view.evaluation) };
  }

  private coloursOf(
    version: OpenedVersion,
    { query: { entityType }, colour, evaluated }: MapView,
  ): Promise<ColourColumn> {
    const { generation, version: number, tagsFile } = version.pointer;
    const { labelHierarchy: hierarchy } = this.engine;
    const named = colour === 'cluster' ? hierarchy.revision : null;
    const key = JSON.stringify([
      generation,
      number,
      colour === 'tag' ? tagsFile : null,
      named,
      entityType,
      colour,
      evaluated,
    ]);
    const type = entityType;
    return this.views.colours.getOrLoad(key, () => colourColumn(version, colour, { type, hierarchy, evaluated }));
  }

  private matching(datasetId: string, version: OpenedVersion, { query }: MapView): Promise<MatchingRows> {
    const key = JSON.stringify([...placeOf(version.pointer), this.engine.labelHierarchy.revision, query]);
    return this.views.matches.getOrLoad(key, async () => {
      const rows = await this.engine.matching(datasetId, version, query);
      await yieldTurn();
      const ofType = await version.index.rowsOf(KINDS_OF[query.entityType]);
      return { rows, count: (rows === undefined ? ofType : ofType.and(rows)).size, recall: version.recall };
    });
  }
}

const NO_POINTS = (tile: MapTile): Buffer =>
  tileBytes({
    tile,
    points: { total: 0, rows: new Int32Array() },
    places: { x: new Float32Array(), y: new Float32Array() },
    colours: ColourColumn.none,
    matches: undefined,
  });

function assertIsTile(tile: MapTile): void {
  const { z, x, y } = tile;
  const width = 2 ** z;
  if (z > MAX_ZOOM || x >= width || y >= width) throw new NoSuchTileError(tile);
}

function currentVersion(pointer: DatasetPointer | null, asked: string | undefined, view?: MapView): string {
  const current = mapVersionOf(pointer, view);
  if (asked !== undefined && !isSameMap(asked, current, view)) throw new MapChangedError();
  return current;
}
