import type { Annotation } from '../../annotations/annotation';
import { Random } from '../../../../../test/support/random';
import { KeypointOverlaps } from './keypoint-overlaps';
import { LEAST_OVERLAP } from './overlaps';

const shapeOf = (overlaps: KeypointOverlaps, shape: Partial<Annotation>) =>
  overlaps.shapeOf({ id: '1', label: 'a', version: 1, ...shape })!;

describe('the similarity of keypoints', () => {
  const overlaps = new KeypointOverlaps([0.5, 0.5]);

  it('falls with the distance of labelled points, by the area', () => {
    const truth = shapeOf(overlaps, { keypoints: [0, 0, 2, 10, 10, 0], area: 8 });
    const found = shapeOf(overlaps, { keypoints: [4, 0, 2, 500, 500, 2] });
    expect(overlaps.between(found, truth)).toBeCloseTo(Math.exp(-1));
  });

  it('is 1 within twice the box if nothing is labelled', () => {
    const truth = shapeOf(overlaps, { keypoints: [0, 0, 0, 0, 0, 0], box: [10, 10, 10, 10], area: 100 });
    expect(overlaps.isFindable(truth)).toBe(false);
    expect(overlaps.between(shapeOf(overlaps, { keypoints: [1, 1, 2, 29, 29, 2] }), truth)).toBe(1);
    expect(overlaps.between(shapeOf(overlaps, { keypoints: [1, 1, 2, 1e6, 29, 2] }), truth)).toBe(0.5);
  });

  it('is 0 for another number of points, whose sigmas are one by their number if none are given', () => {
    const plain = new KeypointOverlaps(undefined);
    const truth = shapeOf(plain, { keypoints: [0, 0, 2, 10, 10, 2], area: 8 });
    expect(plain.between(shapeOf(plain, { keypoints: [0, 0, 2] }), truth)).toBe(0);
    expect(plain.between(shapeOf(plain, { keypoints: [4, 0, 2, 10, 10, 2] }), truth)).toBeCloseTo(
      (1 + Math.exp(-1)) / 2,
    );
  });

  it('needs keypoints, and has the area of the box that was given or of all points', () => {
    expect(shapeOf(overlaps, { box: [0, 0, 5, 5] })).toBeUndefined();
    expect(overlaps.areaOf(shapeOf(overlaps, { keypoints: [1, 1, 0, 3, 5, 2] }))).toBe(8);
    expect(overlaps.areaOf(shapeOf(overlaps, { keypoints: [1, 1, 0, 3, 5, 2], box: [0, 0, 5, 5] }))).toBe(25);
  });

  it('is less than the least overlap outside of the reach of the truth', () => {
    const random = new Random(7);
    let outside = 0;
    const points = (spread: number): number[] =>
      [0, 1].flatMap(() => [spread * random.next(), spread * random.next(), random.integer(3)]);
    for (let pair = 0; pair < 5_000; pair++) {
      const truth = shapeOf(overlaps, { keypoints: points(50), area: 2_000 * random.next() });
      const found = shapeOf(overlaps, { keypoints: points(2_000) });
      const [left, top, right, bottom] = overlaps.reachOf(truth);
      const [x, y, end, last] = overlaps.extentOf(found);
      if (end >= left && x <= right && last >= top && y <= bottom) continue;
      outside += 1;
      expect(overlaps.between(found, truth)).toBeLessThan(LEAST_OVERLAP);
    }
    expect(outside).toBeGreaterThan(1_000);
  });
});
