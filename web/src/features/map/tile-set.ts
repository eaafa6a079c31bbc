import { TileCache } from './tile-cache';
import type { MapTile } from './tile-format';
import { TileLoader } from './tile-loader';
import { levelOf, planOf, type Plan, type TileId } from './tile-tree';
import { boxOf, type Size, type View } from './viewport';

/** A requested map: of one state of a dataset, with filters and colours. */
export interface MapSource {
  /** Differs wherever a tile would. */
  readonly key: string;
  /** Of the dataset: rows are numbered within it. */
  readonly version: string;
  readonly placed: number;
  readonly deepest: number;
  readonly read: (id: TileId, signal: AbortSignal) => Promise<MapTile>;
}

const MOST_POINTS = 2_000_000;
/** Around the visible part, so that small moves show points at once. */
const MARGIN_PX = 96;
const RETRY_MS = 3_100;

/** The tiles of one map: loaded and requested ones. */
export class TileSet {
  private readonly cache: TileCache<MapTile>;
  private readonly loader: TileLoader<MapTile>;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly source: MapSource,
    events: {
      readonly onChange: () => void;
      readonly onEvict: (tile: MapTile) => void;
      readonly onFailure: (error: unknown) => void;
    },
  ) {
    this.cache = new TileCache(MOST_POINTS, events.onEvict);
    this.loader = new TileLoader({
      read: source.read,
      onTile: (tile) => {
        this.cache.add(tile);
        events.onChange();
      },
      onFailure: (error) => {
        clearTimeout(this.retry);
        this.retry = setTimeout(events.onChange, RETRY_MS);
        events.onFailure(error);
      },
    });
  }

  /** The tiles to draw; requests missing ones. */
  plan(view: View, size: Size): Plan<MapTile> {
    const { deepest } = this.source;
    const plan = planOf(this.cache.at, boxOf(view, size, MARGIN_PX), levelOf(view.scale, deepest), deepest);
    this.cache.need(plan.needed);
    this.loader.want(plan.want);
    return plan;
  }

  /** Keeps the loaded tiles, to be drawn until those of another map are loaded. */
  stop(): void {
    clearTimeout(this.retry);
    this.loader.stop();
  }

  dispose(): void {
    this.stop();
    this.cache.clear();
  }
}
