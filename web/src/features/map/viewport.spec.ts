import {
  boxOf,
  clamped,
  fitted,
  fitScale,
  panned,
  pointSize,
  scaleOf,
  toMap,
  toScreen,
  zoomedAt,
  zoomOf,
} from './viewport';

const SIZE = { width: 800, height: 600 };
const MOST = 1e6;

describe('map viewport', () => {
  it('initially shows the whole map, centred', () => {
    const view = fitted(SIZE);
    const { left, top, right, bottom } = boxOf(view, SIZE);
    expect(Math.max(left, top)).toBeLessThan(0);
    expect(Math.min(right, bottom)).toBeGreaterThan(1);
    expect(toScreen(view, SIZE, { x: 0.5, y: 0.5 })).toEqual({ x: 400, y: 300 });
  });

  it('converts places to screen positions and back', () => {
    const view = { x: 0.2, y: 0.7, scale: 5_000 };
    const place = toMap(view, SIZE, { x: 123, y: 456 });
    const { x, y } = toScreen(view, SIZE, place);
    expect(x).toBeCloseTo(123);
    expect(y).toBeCloseTo(456);
  });

  it('moves the map with the pointer', () => {
    const view = { x: 0.5, y: 0.5, scale: 1_000 };
    const before = toMap(view, SIZE, { x: 100, y: 100 });
    const after = toMap(panned(view, 30, -20), SIZE, { x: 130, y: 80 });
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  it('keeps the place below the pointer while zooming', () => {
    const view = { x: 0.5, y: 0.5, scale: 1_000 };
    const pointer = { x: 300, y: 250 };
    const before = toMap(view, SIZE, pointer);
    const after = toMap(zoomedAt(view, SIZE, pointer, 3_000, MOST), SIZE, pointer);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  it('stays on the map, and limits the zoom', () => {
    expect(clamped({ x: -4, y: 9, scale: 1e9 }, SIZE, MOST)).toEqual({ x: 0, y: 1, scale: MOST });
    expect(clamped({ x: 0.5, y: 0.5, scale: 0.001 }, SIZE, MOST).scale).toBe(fitScale(SIZE) / 2);
  });

  it('measures zoom in doublings relative to the whole map', () => {
    expect(zoomOf(fitted(SIZE), SIZE)).toBe(0);
    expect(zoomOf({ x: 0, y: 0, scale: fitScale(SIZE) * 8 }, SIZE)).toBeCloseTo(3);
    expect(scaleOf(3, SIZE)).toBeCloseTo(fitScale(SIZE) * 8);
  });

  it('draws larger points if they are few or far apart', () => {
    const near = { x: 0.5, y: 0.5, scale: 50_000 };
    expect(pointSize(fitted(SIZE), 1_000_000)).toBe(2.2);
    expect(pointSize(fitted(SIZE), 100)).toBeGreaterThan(pointSize(fitted(SIZE), 10_000));
    expect(pointSize(near, 1_000_000)).toBeGreaterThan(4);
  });
});
