import { maskOf, type Spans } from '../annotations/mask-rectangles';
import { inside, painted, spansIn, withoutSpans, withSpans } from './mask-spans';

const SIZE = { width: 7, height: 5 };

/** Row by row. */
function drawn(spans: Spans, { width, height } = SIZE): readonly string[] {
  const isIn = (pixel: number): boolean => spans.filter((end) => end <= pixel).length % 2 === 1;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_each, x) => (isIn(x * height + y) ? '#' : '.')).join(''),
  );
}

/** All pixels, one by one. */
function spansWhere(isIn: (x: number, y: number) => boolean, { width, height }: typeof SIZE): Spans {
  let spans: Spans = [];
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < height; y += 1)
      if (isIn(x + 0.5, y + 0.5)) spans = withSpans(spans, [x * height + y, x * height + y + 1]);
  return spans;
}

describe('what a brush covers', () => {
  it('is a disc, and the way between two places', () => {
    expect(drawn(painted([{ x: 2, y: 2 }], 1, SIZE))).toEqual(['.......', '.##....', '.##....', '.......', '.......']);
    const way = [
      { x: 1.5, y: 1.5 },
      { x: 4.5, y: 1.5 },
    ];
    expect(drawn(painted(way, 1.2, SIZE))).toEqual(['.####..', '######.', '.####..', '.......', '.......']);
  });

  it('is each pixel whose middle is near enough, within the picture', () => {
    const size = { width: 40, height: 30 };
    const points = [
      { x: 3.2, y: 4.1 },
      { x: 30.7, y: 22.9 },
      { x: 30.7, y: -3 },
      { x: 12, y: 40 },
      { x: 45, y: 12.3 },
    ];
    const radius = 4.3;
    const distance = (x: number, y: number): number =>
      Math.min(
        ...points.slice(1).map((to, at) => {
          const from = points[at]!;
          const [dx, dy] = [to.x - from.x, to.y - from.y];
          const share = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy);
          const along = Math.max(0, Math.min(1, share));
          return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
        }),
      );
    const expected = spansWhere((x, y) => distance(x, y) <= radius, size);
    expect(drawn(painted(points, radius, size), size)).toEqual(drawn(expected, size));
  });
});

describe('the inside of rings', () => {
  it('has their pixels without those of a hole', () => {
    const rings = [
      [0, 0, 7, 0, 7, 5, 0, 5],
      [2, 1, 5, 1, 5, 4, 2, 4],
    ];
    expect(drawn(inside(rings, SIZE))).toEqual(['#######', '##...##', '##...##', '##...##', '#######']);
    expect(drawn(inside([[-9, -9, 20, -9, -9, 20]], SIZE))[0]).toBe('#######');
  });
});

describe('masks', () => {
  it('are added to and taken from each other', () => {
    const [left, right] = [inside([[0, 0, 4, 0, 4, 5, 0, 5]], SIZE), inside([[2, 1, 7, 1, 7, 3, 2, 3]], SIZE)];
    expect(drawn(withSpans(left, right))).toEqual(['####...', '#######', '#######', '####...', '####...']);
    expect(drawn(withoutSpans(left, right))).toEqual(['####...', '##.....', '##.....', '####...', '####...']);
    expect(withoutSpans(left, left)).toEqual([]);
    expect(withSpans([0, 5], [5, 10])).toEqual([0, 10]);
  });

  it('of another size are stretched over the picture', () => {
    const small = maskOf([1, 3], { width: 2, height: 2 })!;
    expect(drawn(spansIn(small, { width: 4, height: 4 }), { width: 4, height: 4 })).toEqual([
      '..##',
      '..##',
      '##..',
      '##..',
    ]);
    expect(spansIn(small, { width: 2, height: 2 })).toEqual([1, 3]);
  });
});
