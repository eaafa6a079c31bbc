import { nearestPoint, pointsInSight } from './map-points';
import type { MapTile } from './tile-format';
import type { TileId } from './tile-tree';
import { fitted, toScreen } from './viewport';

const SIZE = { width: 1_000, height: 1_000 };
const WHOLE = fitted(SIZE);

function tileOf(id: TileId, points: readonly { row: number; x: number; y: number; matches?: boolean }[]): MapTile {
  return {
    id,
    count: points.length,
    share: 1,
    isComplete: true,
    isCrowded: false,
    row: Uint32Array.from(points, ({ row }) => row),
    x: Uint16Array.from(points, ({ x }) => x * 65_535),
    y: Uint16Array.from(points, ({ y }) => y * 65_535),
    colour: Uint16Array.from(points, ({ row }) => row),
    matches: Uint8Array.from(points, ({ matches = true }) => (matches ? 1 : 0)),
  };
}

/** In the bottom right quarter: at 0.75, 0.75 and at 0.5, 0.5 of the map. */
const QUARTER = tileOf({ z: 1, x: 1, y: 1 }, [
  { row: 1, x: 0.5, y: 0.5 },
  { row: 2, x: 0, y: 0 },
]);

describe('map points', () => {
  it('are found near the pointer in any tile', () => {
    const other = tileOf({ z: 1, x: 0, y: 0 }, [{ row: 3, x: 0.5, y: 0.5 }]);
    const pointer = toScreen(WHOLE, SIZE, { x: 0.752, y: 0.748 });
    expect(nearestPoint([other, QUARTER], WHOLE, SIZE, pointer, 10)).toMatchObject({ row: 1, colour: 1 });
    expect(nearestPoint([other, QUARTER], WHOLE, SIZE, { x: pointer.x + 20, y: pointer.y }, 10)).toBeUndefined();
  });

  it('are preferred if they match', () => {
    const tile = tileOf({ z: 0, x: 0, y: 0 }, [{ row: 1, x: 0.5, y: 0.5, matches: false }]);
    const matching = tileOf({ z: 1, x: 1, y: 1 }, [{ row: 2, x: 0.005, y: 0 }]);
    const middle = { x: 500, y: 500 };
    expect(nearestPoint([tile], WHOLE, SIZE, middle, 10)).toMatchObject({ row: 1, matches: false });
    expect(nearestPoint([tile, matching], WHOLE, SIZE, middle, 10)).toMatchObject({ row: 2 });
  });

  it('are returned once each if they are visible', () => {
    const parent = tileOf({ z: 0, x: 0, y: 0 }, [{ row: 1, x: 0.75, y: 0.75 }]);
    const near = { x: 0.75, y: 0.75, scale: 10_000 };
    expect(pointsInSight([parent, QUARTER], near, SIZE, 60)?.map(({ row }) => row)).toEqual([1]);
    expect(pointsInSight([parent, QUARTER], WHOLE, SIZE, 60)?.map(({ row }) => row)).toEqual([1, 2]);
  });

  it('are not returned if there are too many', () => {
    const many = tileOf(
      { z: 0, x: 0, y: 0 },
      Array.from({ length: 61 }, (_, row) => ({ row, x: row / 61, y: 0.5 })),
    );
    expect(pointsInSight([many], WHOLE, SIZE, 60)).toBeUndefined();
    expect(pointsInSight([many], WHOLE, SIZE, 61)).toHaveLength(61);
  });
});
