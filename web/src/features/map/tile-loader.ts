import { keyOf, type TileId } from './tile-tree';

export interface TileRequests<Tile> {
  readonly read: (id: TileId, signal: AbortSignal) => Promise<Tile>;
  readonly onTile: (tile: Tile) => void;
  /** The tile is asked for again when it is wanted after a while. */
  readonly onFailure: (error: unknown) => void;
}

const MOST_AT_ONCE = 6;
const PAUSE_MS = 3_000;

/** Requests the needed tiles, a few at once, and aborts requests of tiles that are no longer needed. */
export class TileLoader<Tile> {
  private readonly running = new Map<string, AbortController>();
  private readonly failedAt = new Map<string, number>();
  private wanted: readonly TileId[] = [];
  private isStopped = false;

  constructor(
    private readonly requests: TileRequests<Tile>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The most wanted first. */
  want(tiles: readonly TileId[]): void {
    this.wanted = tiles;
    const keys = new Set(tiles.map(keyOf));
    for (const [key, controller] of this.running) {
      if (keys.has(key)) continue;
      this.running.delete(key);
      controller.abort();
    }
    this.start();
  }

  stop(): void {
    this.isStopped = true;
    this.want([]);
  }

  private start(): void {
    for (const id of this.wanted) {
      if (this.running.size >= MOST_AT_ONCE) return;
      const key = keyOf(id);
      if (this.running.has(key) || this.now() - (this.failedAt.get(key) ?? -Infinity) < PAUSE_MS) continue;
      void this.load(id, key);
    }
  }

  private async load(id: TileId, key: string): Promise<void> {
    const controller = new AbortController();
    this.running.set(key, controller);
    const isWanted = (): boolean => this.running.get(key) === controller && !this.isStopped;
    try {
      const tile = await this.requests.read(id, controller.signal);
      if (!isWanted()) return;
      this.finish(key);
      this.requests.onTile(tile);
    } catch (error) {
      if (!isWanted()) return;
      this.finish(key);
      this.failedAt.set(key, this.now());
      this.requests.onFailure(error);
    }
    this.start();
  }

  private finish(key: string): void {
    this.running.delete(key);
    this.wanted = this.wanted.filter((each) => keyOf(each) !== key);
  }
}
