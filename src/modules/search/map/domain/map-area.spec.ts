import fc from 'fast-check';
import type { MapPolygon } from '../../query/domain/filter';
import { MapArea, rowsWithin } from './map-area';

const SQUARE: MapPolygon = [
  [0.2, 0.2],
  [0.8, 0.2],
  [0.8, 0.8],
  [0.2, 0.8],
];

/** A self-intersecting polygon, whose middle is outside by the even-odd rule. */
const STAR: MapPolygon = [0, 2, 4, 1, 3].map((corner) => {
  const angle = (corner / 5) * 2 * Math.PI - Math.PI / 2;
  return [0.5 + 0.4 * Math.cos(angle), 0.5 + 0.4 * Math.sin(angle)] as const;
});

const inside = (polygon: MapPolygon, x: number, y: number): boolean => new MapArea(polygon).contains(x, y);

/** Counts the edges that cross a ray to the right. */
function crossesOddly(polygon: MapPolygon, x: number, y: number): boolean {
  let isInside = false;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length]!;
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) isInside = !isInside;
  });
  return isInside;
}

describe('an area of the map', () => {
  it('contains points within its edges', () => {
    expect(inside(SQUARE, 0.5, 0.5)).toBe(true);
    expect(inside(SQUARE, 0.1, 0.5)).toBe(false);
    expect(inside(SQUARE, NaN, NaN)).toBe(false);
    expect(inside(STAR, 0.5, 0.15)).toBe(true);
    expect(inside(STAR, 0.5, 0.5)).toBe(false);
  });

  it('is empty if it has no size', () => {
    const dot: MapPolygon = [0, 1, 2].map(() => [0.5, 0.5] as const);
    const line: MapPolygon = [[0.1, 0.5], [0.9, 0.5], [0.5, 0.5]]; // prettier-ignore
    for (const polygon of [dot, line]) expect(inside(polygon, 0.5, 0.5)).toBe(false);
  });

  it('agrees with a count of crossings', () => {
    const part = fc.nat(1000).map((thousandths) => thousandths / 1000);
    const polygon = fc.array(fc.tuple(part, part), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(polygon, part, part, (corners, x, y) => {
        expect(inside(corners, x, y)).toBe(crossesOddly(corners, x, y));
      }),
      { numRuns: 2000 },
    );
  });

  it('is evaluated for all rows', async () => {
    const x = Float32Array.from({ length: 100_000 }, (_, row) => (row % 1000) / 1000);
    const y = Float32Array.from({ length: 100_000 }, (_, row) => Math.floor(row / 1000) / 100);
    const found = await rowsWithin({ x, y }, SQUARE);
    const expected = [...x.keys()].filter((row) => crossesOddly(SQUARE, x[row]!, y[row]!));
    expect([...found.toArray()]).toEqual(expected);
  });
});
