import { resizePixels } from './resize-pixels';

const picture = (width: number, height: number, at: (x: number, y: number) => number) => {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) data.fill(at(i % width, Math.floor(i / width)), i * 3, i * 3 + 3);
  return { data, width, height };
};

describe('resizePixels', () => {
  it('keeps one colour, whichever way it scales', () => {
    for (const [width, height] of [
      [7, 5],
      [100, 3],
      [33, 64],
    ] as const) {
      const resized = resizePixels(
        picture(40, 30, () => 77),
        width,
        height,
      );
      expect(resized).toMatchObject({ width, height });
      expect(new Set(resized.data)).toEqual(new Set([77]));
    }
  });

  it('leaves a picture of the wanted size alone', () => {
    const original = picture(12, 9, (x, y) => x * 10 + y);
    expect(resizePixels(original, 12, 9).data).toEqual(original.data);
  });

  it('averages what it throws together', () => {
    const stripes = picture(64, 8, (x) => (x % 2 === 0 ? 0 : 200));
    const { data } = resizePixels(stripes, 8, 8);
    for (const value of data.subarray(3, 21)) expect(Math.abs(value - 100)).toBeLessThanOrEqual(3);
  });

  it('keeps a gradient a gradient', () => {
    const { data } = resizePixels(
      picture(100, 10, (x) => x * 2),
      20,
      10,
    );
    const line = Array.from({ length: 20 }, (_, x) => data[x * 3]!);
    expect(line).toEqual(line.toSorted((a, b) => a - b));
  });
});
