import type { VqlFilter } from 'dataset-media-service-sdk';
import { areaIn, areaOf, rectangleOf, simplified, withArea } from './area';
import type { Point } from './viewport';

const circle = (count: number, radius = 0.3): Point[] =>
  Array.from({ length: count }, (_, at) => ({
    x: 0.5 + radius * Math.cos((2 * Math.PI * at) / count),
    y: 0.5 + radius * Math.sin((2 * Math.PI * at) / count),
  }));

describe('an area of the map', () => {
  it('has no corners on a straight line', () => {
    const line = [0, 0.1, 0.2, 0.3].map((x) => ({ x, y: 2 * x }));
    expect(simplified(line, 0.001)).toEqual([line[0], line[3]]);
  });

  it('keeps corners farther from the line than the tolerance', () => {
    const line = [
      { x: 0, y: 0 },
      { x: 0.3, y: 0.05 },
      { x: 0.6, y: 0.2 },
      { x: 1, y: 0 },
    ];
    expect(simplified(line, 0.1)).toEqual([line[0], line[2], line[3]]);
  });

  it('has at most the corners that the service accepts', () => {
    const area = areaOf(circle(20_000), 0.000_001)!;
    expect(area.length).toBeLessThanOrEqual(256);
    expect(area.length).toBeGreaterThan(32);
    for (const { x, y } of area) expect(Math.hypot(x - 0.5, y - 0.5)).toBeCloseTo(0.3, 3);
  });

  it('is clipped to the map, with rounded numbers', () => {
    expect(
      areaOf(
        [
          { x: -1, y: 0.123_456_789 },
          { x: 2, y: 0.2 },
          { x: 0.5, y: 7 },
        ],
        0.01,
      ),
    ).toEqual([
      { x: 0, y: 0.12346 },
      { x: 1, y: 0.2 },
      { x: 0.5, y: 1 },
    ]);
  });

  it.each<[string, Point[]]>([
    ['nothing', []],
    ['a click', [{ x: 0.5, y: 0.5 }]],
    ['a point many times', Array.from({ length: 9 }, () => ({ x: 0.5, y: 0.5 }))],
    ['a straight line', [0.1, 0.2, 0.9, 0.1].map((x) => ({ x, y: 0.5 }))],
    ['beside the map', circle(20, 0.01).map(({ x, y }) => ({ x: x + 3, y }))],
  ])('is not created from %s', (_what, line) => {
    expect(areaOf(line, 0.001)).toBeUndefined();
  });

  it('is one of several filters, and replaces the previous area', () => {
    const labels: VqlFilter = { labels: { op: 'one_of', value: ['boat'] } };
    const first = rectangleOf({ left: 0.1, top: 0.2, right: 0.3, bottom: 0.4 });
    const second = rectangleOf({ left: 0.5, top: 0.5, right: 0.6, bottom: 0.6 });
    const filters = withArea(withArea([labels], first), second);
    expect(filters).toHaveLength(2);
    expect(filters[0]).toBe(labels);
    expect(areaIn(filters[1]!)).toEqual(second);
    expect(withArea(filters, null)).toEqual([labels]);
  });

  it.each([{}, { map_area: { op: 'out', value: [] } }, { map_area: { op: 'in', value: [[1, 'a']] } }])(
    'is not parsed from %j',
    (filter) => {
      expect(areaIn(filter as VqlFilter)).toBeUndefined();
    },
  );
});
