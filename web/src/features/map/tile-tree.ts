import type { Box } from './viewport';

/** A square of the map: 0/0/0 is all of it, and each level halves the sides. */
export interface TileId {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export const ROOT: TileId = { z: 0, x: 0, y: 0 };

/** Tiles are at most that wide on the screen before their children are shown. */
export const TILE_PX = 320;

export const keyOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;

export const childrenOf = ({ z, x, y }: TileId): readonly TileId[] =>
  [0, 1, 2, 3].map((at) => ({ z: z + 1, x: 2 * x + (at & 1), y: 2 * y + (at >> 1) }));

export function squareOf({ z, x, y }: TileId): Box {
  const side = 2 ** -z;
  return { left: x * side, top: y * side, right: (x + 1) * side, bottom: (y + 1) * side };
}

export function isInSight(tile: TileId, { left, top, right, bottom }: Box): boolean {
  const square = squareOf(tile);
  return square.left <= right && square.right >= left && square.top <= bottom && square.bottom >= top;
}

/** The level whose tiles have about as many points as a screen can show. */
export const levelOf = (scale: number, deepest: number): number =>
  Math.max(0, Math.min(deepest, Math.ceil(Math.log2(scale / TILE_PX))));

/** A loaded tile. */
export interface KnownTile {
  /** Whether it has all points of its square, so that its children would add none. */
  readonly isComplete: boolean;
  /** Whether it has but a small part of them: then where they are dense can be seen a level deeper only. */
  readonly isCrowded: boolean;
}

export interface Plan<Tile> {
  /** Those below come first. */
  readonly draw: readonly Tile[];
  /** The most needed first. */
  readonly want: readonly TileId[];
  /** Everything that the plan looked at, which must not be forgotten. */
  readonly needed: readonly string[];
}

/** The loaded tiles to draw, and the tiles to request. A tile stays until all of its visible children are loaded. */
export function planOf<Tile extends KnownTile>(
  tileAt: (key: string) => Tile | undefined,
  sight: Box,
  level: number,
  deepest: number,
): Plan<Tile> {
  const draw: Tile[] = [];
  const want: TileId[] = [];
  const needed: string[] = [];
  const visit = (id: TileId): void => {
    const key = keyOf(id);
    const tile = tileAt(key);
    needed.push(key);
    if (tile === undefined) {
      want.push(id);
      return;
    }
    const isDeepEnough = tile.isComplete || id.z >= Math.min(deepest, tile.isCrowded ? level + 1 : level);
    const children = isDeepEnough ? [] : childrenOf(id).filter((child) => isInSight(child, sight));
    if (children.length === 0 || children.some((child) => tileAt(keyOf(child)) === undefined)) draw.push(tile);
    children.forEach(visit);
  };
  visit(ROOT);
  const middle = { x: (sight.left + sight.right) / 2, y: (sight.top + sight.bottom) / 2 };
  const fromMiddle = (id: TileId): number => {
    const { left, top, right, bottom } = squareOf(id);
    return Math.hypot((left + right) / 2 - middle.x, (top + bottom) / 2 - middle.y);
  };
  want.sort((one, other) => one.z - other.z || fromMiddle(one) - fromMiddle(other));
  return { draw, want, needed };
}
