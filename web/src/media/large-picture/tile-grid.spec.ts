import { levelFor, tilesOf, wholeLevel } from './tile-grid';

const SIZE = { width: 8_660, height: 5_773 };

describe('tiles of a large picture', () => {
  it('are one at the highest level', () => {
    expect([
      wholeLevel(SIZE),
      wholeLevel({ width: 2_048, height: 100 }),
      wholeLevel({ width: 100, height: 2_049 }),
    ]).toEqual([3, 0, 1]);
    expect(tilesOf(SIZE, 3)).toEqual([{ level: 3, column: 0, row: 0, left: 0, top: 0, width: 1, height: 1 }]);
  });

  it('cover the picture', () => {
    for (const level of [0, 1, 2]) {
      const tiles = tilesOf(SIZE, level);
      expect(tiles.reduce((sum, { width, height }) => sum + width * height, 0)).toBeCloseTo(1, 9);
      expect(tiles.every(({ left, top, width, height }) => left + width <= 1 + 1e-9 && top + height <= 1 + 1e-9)).toBe(
        true,
      );
    }
    expect(tilesOf(SIZE, 0)).toHaveLength(15);
    expect(tilesOf(SIZE, 0).at(-1)).toMatchObject({ column: 4, row: 2, left: 8_192 / 8_660, top: 4_096 / 5_773 });
  });

  it('have as many pixels as are shown', () => {
    expect([800, 1_083, 2_000, 2_170, 5_000, 20_000, 0].map((shown) => levelFor(SIZE, shown))).toEqual([
      3, 2, 2, 1, 0, 0, 3,
    ]);
  });
});
