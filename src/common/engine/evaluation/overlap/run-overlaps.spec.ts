import type { Annotation } from '../../annotations/annotation';
import { textOfRuns } from '../../annotations/mask-runs';
import { RunOverlaps } from './run-overlaps';

const PICTURE = { width: 40, height: 30 };
const overlaps = new RunOverlaps();

const shapeOf = (shape: Partial<Annotation>, picture = PICTURE) =>
  overlaps.shapeOf({ id: '1', label: 'a', version: 1, ...shape }, picture)!;

const square = (left: number, top: number, side: number): number[] => [
  ...[left, top, left + side, top],
  ...[left + side, top + side, left, top + side],
];

const maskOf = (width: number, height: number, runs: readonly number[]) => ({
  mask: { width, height, counts: textOfRuns(runs) },
});

describe('the pixels of shapes', () => {
  it('are those inside of the rings, without holes, but with what is in a hole', () => {
    const rings = [square(2, 2, 20), square(5, 5, 10), square(8, 8, 2), square(30, 10, 5)];
    expect(overlaps.areaOf(shapeOf({ polygon: rings }))).toBe(400 - 100 + 4 + 25);
    expect(overlaps.areaOf(shapeOf({ polygon: rings.toReversed() }))).toBe(400 - 100 + 4 + 25);
  });

  it('count once where rings cover each other', () => {
    expect(overlaps.areaOf(shapeOf({ polygon: [square(0, 0, 10), square(5, 5, 10)] }))).toBe(175);
  });

  it('are those in the picture, however far a polygon leaves it', () => {
    const half = [-1e7, -1e7, 20, -1e7, 20, 1e7, -1e7, 1e7];
    expect(overlaps.areaOf(shapeOf({ polygon: [half] }))).toBe(20 * 30);
    expect(overlaps.areaOf(shapeOf({ polygon: [square(-1e7, -1e7, 2e7)] }))).toBe(40 * 30);
    expect(overlaps.areaOf(shapeOf({ polygon: [square(100, 100, 5)] }))).toBe(0);
  });

  it('are those of a mask, stretched over its picture', () => {
    const left = maskOf(4, 3, [0, 6, 6]);
    expect(overlaps.areaOf(shapeOf(left))).toBe(20 * 30);
    expect(overlaps.between(shapeOf(left), shapeOf({ box: [10, 0, 20, 30] }), false)).toBeCloseTo(1 / 3);
    const dot = maskOf(4, 3, [4, 1, 7]);
    expect(overlaps.between(shapeOf(dot), shapeOf({ box: [10, 10, 10, 10] }), false)).toBe(1);
  });

  it('are those of a turned box', () => {
    const turned = shapeOf({ box: [10, 5, 20, 10], rotation: 90 });
    expect(overlaps.between(turned, shapeOf({ box: [15, 0, 10, 20] }), false)).toBe(1);
  });

  it('are shared with a crowd by the part of the prediction that is in it', () => {
    const [small, crowd] = [shapeOf({ box: [0, 0, 10, 10] }), shapeOf({ box: [5, 0, 30, 30] })];
    expect(overlaps.between(small, crowd, true)).toBe(0.5);
    expect(overlaps.between(small, crowd, false)).toBeCloseTo(50 / (100 + 900 - 50));
    expect(overlaps.between(small, shapeOf({ box: [20, 20, 5, 5] }), true)).toBe(0);
  });

  it('are refused if a border crosses a huge picture thousands of times', () => {
    const side = 65_535;
    const border = Array.from({ length: 20_000 }, (_, at) => [at % 2 === 0 ? 0 : side, at]).flat();
    expect(() => shapeOf({ polygon: [border] }, { width: side, height: side })).toThrow(
      'The outline of annotation 1 is too long to be compared',
    );
  });

  it('are refused if the borders of many rings are too long together', () => {
    const [width, height] = [10_000, 2_000];
    const zigzag = Array.from({ length: 20 }, (_, at) => [at % 2 === 0 ? 0 : width, at * 100]).flat();
    const polygon = new Array<number[]>(1_000).fill(zigzag);
    expect(() => shapeOf({ polygon }, { width, height })).toThrow('is too long to be compared');
  });

  it('are those that have a shape', () => {
    expect(shapeOf({})).toBeUndefined();
    expect(overlaps.areaOf(shapeOf(maskOf(40, 30, [1_200])))).toBe(0);
  });
});
