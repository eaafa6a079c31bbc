import { cutFor, MAX_LEVEL, TileNotFoundError, type TilePlace } from './picture-tile';

const SIZE = { width: 8_660, height: 5_773 };
const at = (level: number, column: number, row: number): TilePlace => ({ level, column, row });

describe('cutFor', () => {
  it('is a square of the scaled picture', () => {
    expect(cutFor(at(0, 4, 2), SIZE)).toEqual({
      longestSide: 8_660,
      tile: { x: 8_192, y: 4_096, width: 2_048, height: 2_048 },
    });
    expect(cutFor(at(1, 2, 1), SIZE)).toEqual({
      longestSide: 4_330,
      tile: { x: 4_096, y: 2_048, width: 2_048, height: 2_048 },
    });
    expect(cutFor(at(MAX_LEVEL, 0, 0), SIZE).longestSide).toBe(1);
  });

  it('is refused outside of the picture', () => {
    for (const place of [at(0, 5, 0), at(0, 0, 3), at(1, 3, 0), at(3, 1, 0), at(0, 100_000, 100_000)])
      expect(() => cutFor(place, SIZE)).toThrow(TileNotFoundError);
    expect(() => cutFor(at(0, 5, 0), SIZE)).toThrow('The picture has no tile 0/5/0: it is 8660 x 5773 pixels large.');
    expect(() => cutFor(at(0, 1, 0), { width: 2_048, height: 2_048 })).toThrow(TileNotFoundError);
  });
});
