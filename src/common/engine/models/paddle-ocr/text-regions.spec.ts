import { cornersOf, type RotatedRectangle } from './rotated-rectangle';
import { textRegions, type TextMap } from './text-regions';

const SIZE = { width: 200, height: 100 };

/** A map of which the pixels within rectangles have a probability. */
function mapOf(rectangles: readonly (RotatedRectangle & { readonly probability?: number })[]): TextMap {
  const data = new Float32Array(SIZE.width * SIZE.height);
  for (const { x, y, width, height, angle, probability = 0.9 } of rectangles)
    for (let at = 0; at < data.length; at++) {
      const [dx, dy] = [(at % SIZE.width) + 0.5 - x, Math.floor(at / SIZE.width) + 0.5 - y];
      const across = dx * Math.cos(angle) + dy * Math.sin(angle);
      const down = dy * Math.cos(angle) - dx * Math.sin(angle);
      if (Math.abs(across) <= width / 2 && Math.abs(down) <= height / 2) data[at] = probability;
    }
  return { data, ...SIZE };
}

const bar = (part: Partial<RotatedRectangle> = {}) => ({ x: 100, y: 50, width: 80, height: 10, angle: 0, ...part });

describe('the regions of text in a map', () => {
  it('are as large as the core of the line and its margin', () => {
    const [region] = textRegions(mapOf([bar()]), SIZE);
    // The margin is 1.5 times the area, divided by the perimeter.
    const margin = (80 * 10 * 1.5) / 180;
    expect(region!.rectangle).toEqual({
      x: 100,
      y: 50,
      width: expect.closeTo(80 + 2 * margin) as number,
      height: expect.closeTo(10 + 2 * margin) as number,
      angle: 0,
    });
    expect(region!.confidence).toBeCloseTo(0.9);
  });

  it.each([-0.4, -0.1, 0.05, 0.26, 0.7])('follow a line that is rotated by %s', (angle) => {
    const [region, ...others] = textRegions(mapOf([bar({ angle })]), SIZE);
    expect(others).toEqual([]);
    const { rectangle } = region!;
    expect(rectangle.angle).toBeCloseTo(angle, 1);
    expect(Math.abs(rectangle.x - 100)).toBeLessThan(1);
    expect(Math.abs(rectangle.y - 50)).toBeLessThan(1);
    expect(rectangle.width / rectangle.height).toBeGreaterThan(3);
    const [start, end] = cornersOf(rectangle);
    expect(Math.atan2(end.y - start.y, end.x - start.x)).toBeCloseTo(rectangle.angle);
  });

  it('are in pixels of the picture', () => {
    const [region] = textRegions(mapOf([bar()]), { width: 400, height: 300 });
    expect(region!.rectangle).toMatchObject({ x: 200, y: 150 });
  });

  it('are ordered by confidence, without faint and small ones', () => {
    const map = mapOf([
      bar({ y: 20 }),
      { ...bar({ y: 50 }), probability: 0.95 },
      { ...bar({ y: 75 }), probability: 0.5 },
      bar({ y: 92, width: 2, height: 2 }),
      bar({ x: 20, y: 92, width: 30, height: 1 }),
    ]);
    expect(textRegions(map, SIZE).map(({ rectangle }) => rectangle.y)).toEqual([50, 20]);
  });

  it('are at most 400, also where each pixel may be one', () => {
    const [width, height] = [640, 640];
    const data = new Float32Array(width * height);
    for (let at = 0; at < data.length; at++) {
      const [x, y] = [at % width, Math.floor(at / width)];
      if (x % 8 < 5 && y % 8 < 5) data[at] = 0.9;
    }
    expect(textRegions({ data, width, height }, { width, height })).toHaveLength(400);
    data.fill(1);
    expect(textRegions({ data, width, height }, { width, height })).toHaveLength(1);
    data.fill(NaN);
    expect(textRegions({ data, width, height }, { width, height })).toEqual([]);
  });
});
