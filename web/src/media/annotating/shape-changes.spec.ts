import type { Shape } from '../annotations/shapes';
import {
  boxBetween,
  dragged,
  grown,
  handlesOf,
  keypointsOf,
  moved,
  turnedBy,
  withoutPoint,
  withPoint,
  withVisibility,
  type Handle,
} from './shape-changes';

const SIZE = { width: 100, height: 80 };
const BOX = { type: 'box', x: 20, y: 10, width: 40, height: 20 } as const;
const TRIANGLE = { type: 'polygon', rings: [[10, 10, 50, 10, 50, 40]] } as const;
const PAIR = { type: 'keypoints', points: [10, 10, 2, 0, 0, 0, 30, 30, 1] } as const;
const polygon = TRIANGLE as unknown as Extract<Shape, { type: 'polygon' }>;
const keypoints = PAIR as unknown as Extract<Shape, { type: 'keypoints' }>;
const side = (across: -1 | 0 | 1, down: -1 | 0 | 1): Handle => ({ kind: 'side', across, down });

describe('a box', () => {
  it('has a handle at each corner and side, and one to rotate it', () => {
    const places = handlesOf(BOX, 5).map(({ x, y }) => [x, y]);
    expect(places).toEqual([
      ...[
        [20, 10],
        [40, 10],
        [60, 10],
        [60, 20],
        [60, 30],
        [40, 30],
        [20, 30],
        [20, 20],
      ],
      [40, 5],
    ]);
  });

  it('is resized by a corner or a side, also over the opposite one, and stays on the picture', () => {
    expect(dragged(BOX, side(1, 1), { x: 70, y: 50 }, SIZE)).toEqual({ ...BOX, width: 50, height: 40 });
    expect(dragged(BOX, side(0, -1), { x: 99, y: 0 }, SIZE)).toEqual({ ...BOX, y: 0, height: 30 });
    expect(dragged(BOX, side(1, 0), { x: 10, y: 0 }, SIZE)).toEqual({ ...BOX, x: 10, width: 10 });
    expect(dragged(BOX, side(1, 1), { x: 500, y: 500 }, SIZE)).toEqual({ ...BOX, width: 80, height: 70 });
  });

  it('keeps its opposite corner where it is, however it is rotated', () => {
    for (const rotation of [30, 90, -135]) {
      const box = { ...BOX, rotation };
      const fixed = handlesOf(box, 0)[0]!;
      const next = dragged(box, side(1, 1), { x: 70, y: 60 }, SIZE);
      const isThere = (x: number, y: number) =>
        handlesOf(next, 0).some((corner) => Math.hypot(x - corner.x, y - corner.y) < 0.1);
      expect([isThere(fixed.x, fixed.y), isThere(70, 60)]).toEqual([true, true]);
    }
  });

  it('is rotated by its handle, in steps if asked for, and by keys', () => {
    expect(dragged(BOX, { kind: 'turn' }, { x: 80, y: 20 }, SIZE)).toEqual({ ...BOX, rotation: 90 });
    expect(dragged(BOX, { kind: 'turn' }, { x: 41, y: 0 }, SIZE, true)).toEqual(BOX);
    expect(turnedBy(turnedBy(BOX, -5), 5)).toEqual(BOX);
    expect(turnedBy({ ...BOX, rotation: 179 }, 5)).toEqual({ ...BOX, rotation: -176 });
  });

  it('is drawn between two corners, and grows at its lower right one', () => {
    expect(boxBetween({ x: 60, y: 30 }, { x: 20, y: 10 })).toEqual(BOX);
    expect(grown(BOX, { x: 5, y: -50 })).toEqual({ ...BOX, width: 45, height: 1 });
    const turned = grown({ ...BOX, rotation: 90 }, { x: 10, y: 0 });
    expect(handlesOf(turned, 0)[0]).toMatchObject({ x: 50, y: expect.closeTo(0) as number });
  });
});

it('moves shapes, no further beyond the picture than they are', () => {
  const bounds = { left: 20, top: 10, right: 60, bottom: 30 };
  expect(moved(BOX, { x: 5, y: -30 }, bounds, SIZE)).toEqual({ ...BOX, x: 25, y: 0 });
  expect(moved({ ...BOX, x: -5 }, { x: -9, y: 0 }, { ...bounds, left: -5, right: 35 }, SIZE)).toEqual({
    ...BOX,
    x: -5,
  });
  const own = { left: 10, top: 10, right: 50, bottom: 40 };
  expect(moved(polygon, { x: 100, y: 1 }, own, SIZE)).toEqual({ type: 'polygon', rings: [[60, 11, 100, 11, 100, 41]] });
  expect(moved(keypoints, { x: 1, y: 2 }, { left: 10, top: 10, right: 30, bottom: 30 }, SIZE)).toEqual({
    ...keypoints,
    points: [11, 12, 2, 1, 2, 0, 31, 32, 1],
  });
});

describe('a polygon', () => {
  it('has points that are dragged, added and removed', () => {
    const point: Handle = { kind: 'point', ring: 0, at: 1 };
    expect(dragged(polygon, point, { x: 60.123, y: 5 }, SIZE)).toEqual({
      ...polygon,
      rings: [[10, 10, 60.12, 5, 50, 40]],
    });
    const four = withPoint(polygon, { ring: 0, at: 2 }, { x: 20, y: 30 });
    expect(four.rings).toEqual([[10, 10, 50, 10, 50, 40, 20, 30]]);
    expect(withoutPoint(four, { ...point, at: 3 })).toEqual(polygon);
    expect(withoutPoint(polygon, point)).toBeUndefined();
  });

  it('loses a hole with the third last of its points', () => {
    const hole = [20, 20, 30, 20, 30, 30];
    expect(withoutPoint({ ...polygon, rings: [...polygon.rings, hole] }, { kind: 'point', ring: 1, at: 0 })).toEqual(
      polygon,
    );
  });
});

it('hides keypoints, and takes them away', () => {
  expect(handlesOf(keypoints, 0)).toHaveLength(2);
  expect(withVisibility(keypoints, 0).points.slice(0, 3)).toEqual([10, 10, 1]);
  expect(withVisibility(keypoints, 2).points.slice(6)).toEqual([30, 30, 2]);
  const one = withoutPoint(keypoints, { kind: 'keypoint', at: 0 });
  expect(one).toEqual({ ...keypoints, points: [0, 0, 0, 0, 0, 0, 30, 30, 1] });
  expect(withoutPoint(one!, { kind: 'keypoint', at: 2 })).toBeUndefined();
});

it('draws as many keypoints as the skeleton has, without those that are left out', () => {
  const drawn = [
    { x: 1.234, y: 2 },
    { x: 0, y: 0, isAbsent: true as const },
  ];
  expect(keypointsOf(drawn, 3).points).toEqual([1.23, 2, 2, 0, 0, 0, 0, 0, 0]);
  expect(keypointsOf(drawn.slice(0, 1), 0).points).toEqual([1.23, 2, 2]);
});
