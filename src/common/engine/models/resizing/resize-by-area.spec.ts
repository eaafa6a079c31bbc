import { resizeByArea } from './resize-by-area';

const picture = (width: number, height: number, at: (x: number, y: number) => number) => {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) data.fill(at(i % width, Math.floor(i / width)), i * 3, i * 3 + 3);
  return { data, width, height };
};

describe('resizeByArea', () => {
  it('keeps a single colour when enlarging and reducing', () => {
    for (const [width, height] of [
      [7, 5],
      [100, 3],
      [33, 64],
    ] as const) {
      const resized = resizeByArea(
        picture(40, 30, () => 77),
        width,
        height,
      );
      expect(resized).toMatchObject({ width, height });
      expect(new Set(resized.data)).toEqual(new Set([77]));
    }
  });

  it('leaves a picture of the right size unchanged', () => {
    const original = picture(12, 9, (x, y) => x * 10 + y);
    expect(resizeByArea(original, 12, 9).data).toEqual(original.data);
  });

  it('averages the pixels that it combines', () => {
    const stripes = picture(64, 8, (x) => (x % 2 === 0 ? 0 : 200));
    const { data } = resizeByArea(stripes, 8, 8);
    for (const value of data.subarray(3, 21)) expect(Math.abs(value - 100)).toBeLessThanOrEqual(3);
  });

  it('weights each source pixel by its overlap with the target pixel', () => {
    const lines = picture(5, 2, (x, y) => x * 20 + y * 100);
    const { data } = resizeByArea(lines, 2, 1);
    // 2.5 columns each: (0 + 20 + 40 / 2) / 2.5 and (40 / 2 + 60 + 80) / 2.5, halfway between the lines.
    expect([data[0], data[3]]).toEqual([66, 114]);
  });

  it('averages whole blocks exactly, to the nearest level', () => {
    const blocks = picture(6, 4, (x, y) => x + 10 * y);
    const { data } = resizeByArea(blocks, 2, 2);
    expect([data[0], data[3], data[6], data[9]]).toEqual([6, 9, 26, 29]);
  });

  it('preserves a gradient', () => {
    const { data } = resizeByArea(
      picture(100, 10, (x) => x * 2),
      20,
      10,
    );
    const line = Array.from({ length: 20 }, (_, x) => data[x * 3]!);
    expect(line).toEqual(line.toSorted((a, b) => a - b));
  });
});
