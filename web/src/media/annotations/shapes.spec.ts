import { boundsOf, linesBetween, outlineOf, pointsOf, type Shape } from './shapes';

const PICTURE = { width: 8, height: 10 };
const BOX = { type: 'box', x: 10, y: 20, width: 40, height: 20 } as const;
const POLYGON: Shape = {
  type: 'polygon',
  rings: [
    [0, 0, 9, 0, 9, 9],
    [6, 1, 8, 1, 8, 3],
  ],
};

describe('a shape', () => {
  it('has an outline with all rings, so that the even-odd rule leaves holes', () => {
    expect(outlineOf(POLYGON)).toBe('M0 0 9 0 9 9ZM6 1 8 1 8 3Z');
    expect(outlineOf(BOX)).toBe('M10 20 50 20 50 40 10 40Z');
    expect(outlineOf({ type: 'keypoints', points: [1, 2, 2] })).toBe('');
  });

  it('is rotated clockwise around its middle', () => {
    const corners = outlineOf({ ...BOX, rotation: 90 })
      .match(/[\d.]+/g)!
      .map((value) => Math.round(Number(value)));
    expect(corners).toEqual([40, 10, 40, 50, 20, 50, 20, 10]);
  });

  it('has the points that are labelled', () => {
    expect(pointsOf([1, 2, 2, 3, 4, 1, 0, 0, 0])).toEqual([
      { x: 1, y: 2, isVisible: true },
      { x: 3, y: 4, isVisible: false },
    ]);
  });

  it('has lines between points that are both labelled', () => {
    const points = [1, 2, 2, 3, 4, 1, 0, 0, 0];
    const edges = [
      [0, 1],
      [1, 2],
      [0, 9],
      [1, 0],
    ];
    expect(linesBetween(points, edges)).toBe('M1 2L3 4M3 4L1 2');
    expect(linesBetween(points, [])).toBe('');
  });

  it('has bounds in pixels of the picture, also a mask of another size', () => {
    const mask: Shape = { type: 'mask', width: 4, height: 5, counts: '345M2' };
    expect(boundsOf(mask, PICTURE)).toEqual({ left: 0, top: 0, right: 6, bottom: 10 });
    expect(boundsOf(POLYGON, PICTURE)).toEqual({ left: 0, top: 0, right: 9, bottom: 9 });
    expect(boundsOf({ type: 'keypoints', points: [1, 2, 2, 3, 4, 1, 0, 0, 0] }, PICTURE)).toEqual({
      left: 1,
      top: 2,
      right: 3,
      bottom: 4,
    });
    expect(boundsOf({ type: 'keypoints', points: [0, 0, 0] }, PICTURE)).toBeUndefined();
    expect(boundsOf({ ...mask, counts: 'x' }, PICTURE)).toBeUndefined();
  });
});
