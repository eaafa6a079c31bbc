import { cutLine } from './line-picture';
import { turned, type RotatedRectangle } from './rotated-rectangle';

const SIZE = { width: 60, height: 40 };

/** Each pixel has its place in red and green, and 200 in blue. */
const PICTURE = {
  ...SIZE,
  data: Uint8Array.from({ length: SIZE.width * SIZE.height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return [(pixel % SIZE.width) * 4, Math.floor(pixel / SIZE.width) * 4, 200][at % 3]!;
  }),
};

/** The colours of a pixel of a line, from 0 to 255. */
function colours(rectangle: RotatedRectangle, size: { width: number; height: number }, x: number, y: number) {
  const { values, width, height } = cutLine(PICTURE, rectangle, size);
  const level = (channel: number): number => (values[channel * width * height + y * width + x]! + 1) * 127.5;
  return { blue: level(0), green: level(1), red: level(2) };
}

const RECTANGLE = { x: 30, y: 20, width: 20, height: 10, angle: 0 };
const WHOLE = { width: 20, height: 10 };

describe('a line that is cut out', () => {
  it('has the pixels of the picture at the same size, blue first', () => {
    const { blue, green, red } = colours(RECTANGLE, WHOLE, 0, 0);
    expect([blue, green, red].map(Math.round)).toEqual([200, 15 * 4, 20 * 4]);
    expect(Math.round(colours(RECTANGLE, WHOLE, 19, 9).red)).toBe(39 * 4);
  });

  it('begins at the other end if it is turned', () => {
    const { green, red } = colours(turned(RECTANGLE, 2), WHOLE, 0, 0);
    expect([green, red].map(Math.round)).toEqual([24 * 4, 39 * 4]);
  });

  it('runs down the picture after a quarter turn', () => {
    const size = { width: 10, height: 20 };
    const start = colours(turned(RECTANGLE, 1), size, 0, 0);
    expect([start.green, start.red].map(Math.round)).toEqual([15 * 4, 39 * 4]);
    const end = colours(turned(RECTANGLE, 1), size, 9, 0);
    expect([end.green, end.red].map(Math.round)).toEqual([24 * 4, 39 * 4]);
  });

  it('is interpolated, and averaged where it is reduced', () => {
    expect(colours(RECTANGLE, { width: 40, height: 20 }, 20, 10).red).toBeCloseTo((29.5 + 0.25) * 4, 3);
    // Pixels 20 to 23.
    expect(colours(RECTANGLE, { width: 5, height: 5 }, 0, 0).red).toBeCloseTo(21.5 * 4, 3);
  });

  it('repeats the edge beyond the picture', () => {
    const { green, red } = colours({ ...RECTANGLE, x: -50, y: 500 }, WHOLE, 3, 3);
    expect([green, red].map(Math.round)).toEqual([39 * 4, 0]);
  });
});
