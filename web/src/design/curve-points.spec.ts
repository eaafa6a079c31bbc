import { nearest, pathOf } from './curve-points';

describe('the points of a curve', () => {
  const points = [
    { x: 0, y: 1 },
    { x: 0.5, y: 0.25 },
    { x: 1, y: 0 },
  ];

  it('are found by the nearest place', () => {
    expect([0, 0.2, 0.3, 0.9].map((x) => nearest(points, x)?.x)).toEqual([0, 0, 0.5, 1]);
    expect(nearest<{ x: number; y: number }>([], 0.5)).toBeUndefined();
  });

  it('are connected, with y going up', () => {
    expect(pathOf(points)).toBe('M0 0L0.5 0.75L1 1');
    expect(pathOf([])).toBe('');
  });
});
