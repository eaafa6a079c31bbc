import { PointGrid } from './point-grid';

/** Deterministic points. */
function points(count: number): { x: Uint16Array; y: Uint16Array } {
  let seed = 1;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % 65_536;
  return { x: Uint16Array.from({ length: count }, next), y: Uint16Array.from({ length: count }, next) };
}

describe('PointGrid', () => {
  const { x, y } = points(500);
  const grid = new PointGrid(x, y);

  it.each([
    [0, 0],
    [65_535, 65_535],
    [30_000, 12_345],
    [2_048, 2_047],
    [-500, 70_000],
  ])('finds the nearest to %d, %d', (toX, toY) => {
    const reach = 9_000;
    const distances = Array.from(x, (each, at) => Math.hypot(each - toX, y[at]! - toY));
    const least = Math.min(...distances);
    const found = grid.nearest(toX, toY, reach);
    expect(found?.distance).toEqual(least <= reach ? expect.closeTo(least) : undefined);
  });

  it('finds no distant point', () => {
    const lonely = new PointGrid(Uint16Array.of(100), Uint16Array.of(100));
    expect(lonely.nearest(100, 200, 99)).toBeUndefined();
    expect(lonely.nearest(100, 200, 100)).toEqual({ at: 0, distance: 100 });
    expect(new PointGrid(new Uint16Array(), new Uint16Array()).nearest(0, 0, 65_535)).toBeUndefined();
  });

  it('contains every point once', () => {
    const all = [...grid.within({ left: 0, top: 0, right: 65_535, bottom: 65_535 })];
    expect(all.toSorted((one, other) => one - other)).toEqual(Array.from(x, (_, at) => at));
  });

  it('contains nothing outside the tile', () => {
    expect([...grid.within({ left: -100, top: -100, right: -1, bottom: -1 })]).toEqual([]);
    expect([...grid.within({ left: 65_536, top: 0, right: 70_000, bottom: 10 })]).toEqual([]);
  });
});
