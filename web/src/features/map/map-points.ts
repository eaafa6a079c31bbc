import { PointGrid } from './point-grid';
import type { MapTile } from './tile-format';
import { isInSight, squareOf } from './tile-tree';
import { boxOf, toMap, type Box, type Point, type Size, type View } from './viewport';

/** A medium on the map. */
export interface MapPoint extends Point {
  readonly row: number;
  readonly colour: number;
  readonly matches: boolean;
}

const STEPS = 65_535;
const grids = new WeakMap<MapTile, PointGrid>();

/** Made when the pointer is first over the tile. */
function gridOf(tile: MapTile): PointGrid {
  const known = grids.get(tile) ?? new PointGrid(tile.x, tile.y);
  grids.set(tile, known);
  return known;
}

function pointAt(tile: MapTile, at: number): MapPoint {
  const { left, top, right } = squareOf(tile.id);
  const unit = (right - left) / STEPS;
  return {
    x: left + tile.x[at]! * unit,
    y: top + tile.y[at]! * unit,
    row: tile.row[at]!,
    colour: tile.colour[at]!,
    matches: tile.matches[at] === 1,
  };
}

/** In units of the tile. */
function withinTile(tile: MapTile, { left, top, right, bottom }: Box): Box {
  const square = squareOf(tile.id);
  const across = (x: number): number => ((x - square.left) / (square.right - square.left)) * STEPS;
  const down = (y: number): number => ((y - square.top) / (square.bottom - square.top)) * STEPS;
  return { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
}

/** The medium nearest to a place on the screen; one that matches before one that does not. */
export function nearestPoint(
  tiles: readonly MapTile[],
  view: View,
  size: Size,
  at: Point,
  reachPx: number,
): MapPoint | undefined {
  const { x, y } = toMap(view, size, at);
  let found: { point: MapPoint; distance: number } | undefined;
  for (const tile of tiles) {
    const local = withinTile(tile, { left: x, top: y, right: x + reachPx / view.scale, bottom: y });
    const near = gridOf(tile).nearest(local.left, local.top, local.right - local.left);
    if (near === undefined) continue;
    const point = pointAt(tile, near.at);
    // As if it lay farther away.
    const distance = near.distance / (local.right - local.left) + (point.matches ? 0 : 1);
    if (found === undefined || distance < found.distance) found = { point, distance };
  }
  return found?.point;
}

/** All visible media, unless they are more than the given number. */
export function pointsInSight(
  tiles: readonly MapTile[],
  view: View,
  size: Size,
  most: number,
): readonly MapPoint[] | undefined {
  const sight = boxOf(view, size);
  const found = new Map<number, MapPoint>();
  for (const tile of tiles) {
    if (!isInSight(tile.id, sight)) continue;
    for (const at of gridOf(tile).within(withinTile(tile, sight))) {
      const point = pointAt(tile, at);
      if (point.x < sight.left || point.x > sight.right || point.y < sight.top || point.y > sight.bottom) continue;
      found.set(point.row, point);
      if (found.size > most) return undefined;
    }
  }
  return [...found.values()].sort((one, other) => one.row - other.row);
}
