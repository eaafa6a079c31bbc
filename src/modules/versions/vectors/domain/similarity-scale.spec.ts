import fc from 'fast-check';
import { SimilarityScale } from './similarity-scale';

const scales = fc
  .tuple(fc.double({ min: -1, max: 0.98, noNaN: true }), fc.double({ min: 0.01, max: 1, noNaN: true }))
  .map(([unrelated, range]) => new SimilarityScale({ unrelated, matching: Math.min(1, unrelated + range) }));

it('maps the calibrated cosines to similarity 0 and 1', () => {
  const scale = new SimilarityScale({ unrelated: 0.15, matching: 0.35 });
  expect(scale.distanceOf(1 - 0.15)).toBeCloseTo(1, 12);
  expect(scale.distanceOf(1 - 0.35)).toBeCloseTo(0, 12);
  expect(scale.distanceOf(1 - 0.25)).toBeCloseTo(0.5, 12);
  expect(scale.distanceOf(1)).toBeCloseTo(1.75, 12);
});

it('is the cosine distance itself without a calibration', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 2, noNaN: true }), (distance) => {
      expect(SimilarityScale.PLAIN.distanceOf(distance)).toBe(distance);
      expect(SimilarityScale.PLAIN.cosineDistanceOf(distance)).toBe(distance);
    }),
  );
  expect(SimilarityScale.PLAIN.isPlain).toBe(true);
  expect(new SimilarityScale({ unrelated: 0.15, matching: 0.35 }).isPlain).toBe(false);
});

it('keeps the order, and can be inverted', () => {
  const distance = fc.double({ min: 0, max: 2, noNaN: true });
  fc.assert(
    fc.property(scales, distance, distance, (scale, a, b) => {
      if (a < b) expect(scale.distanceOf(a)).toBeLessThanOrEqual(scale.distanceOf(b));
      expect(scale.cosineDistanceOf(scale.distanceOf(a))).toBeCloseTo(a, 9);
    }),
  );
  expect(SimilarityScale.PLAIN.cosineDistanceOf(Infinity)).toBe(Infinity);
});
