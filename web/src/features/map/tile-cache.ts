import { keyOf, type TileId } from './tile-tree';

interface Counted {
  readonly id: TileId;
  readonly count: number;
}

/** A tile without points takes some memory too. */
const LEAST_COUNT = 64;

const weightOf = ({ count }: Counted): number => Math.max(LEAST_COUNT, count);

/** Loaded tiles, up to a number of points: the least recently needed ones are evicted. */
export class TileCache<Tile extends Counted> {
  private readonly tiles = new Map<string, Tile>();
  private weight = 0;

  constructor(
    private readonly mostPoints: number,
    /** Of what was made for it elsewhere. */
    private readonly onEvict: (tile: Tile) => void,
  ) {}

  readonly at = (key: string): Tile | undefined => this.tiles.get(key);

  add(tile: Tile): void {
    this.remove(keyOf(tile.id));
    this.tiles.set(keyOf(tile.id), tile);
    this.weight += weightOf(tile);
  }

  /** Keeps the needed tiles, and others as long as there is room. */
  need(keys: readonly string[]): void {
    for (const key of keys) {
      const tile = this.tiles.get(key);
      if (tile === undefined) continue;
      // A map goes through its entries in the order in which they were set.
      this.tiles.delete(key);
      this.tiles.set(key, tile);
    }
    const needed = new Set(keys);
    for (const key of this.tiles.keys()) {
      if (this.weight <= this.mostPoints || needed.has(key)) return;
      this.remove(key);
    }
  }

  clear(): void {
    for (const key of [...this.tiles.keys()]) this.remove(key);
  }

  private remove(key: string): void {
    const tile = this.tiles.get(key);
    if (tile === undefined) return;
    this.tiles.delete(key);
    this.weight -= weightOf(tile);
    this.onEvict(tile);
  }
}
