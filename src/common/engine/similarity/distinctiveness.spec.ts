import fc from 'fast-check';
import { outlierConfidences, outlierCut, uniquenessScores } from './distinctiveness';

const similarities = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 200 })
  .map((values) => Float32Array.from(values));

test('items with a twin score 0, the most distant one scores 1', () => {
  const scores = uniquenessScores(Float32Array.of(1, 0.9, 0.2), Float32Array.of(0.5, 0.6, 0.1));
  expect(scores[0]).toBe(0);
  expect(scores[1]).toBeGreaterThan(0);
  expect(scores[1]).toBeLessThan(0.3);
  expect(scores[2]).toBe(1);
});

test('identical items all score 0', () => {
  expect([...uniquenessScores(Float32Array.of(1, 1), Float32Array.of(1, 1))]).toEqual([0, 0]);
});

test('at most the lowest 5 % are outliers; the confidence is exactly 0.5 at the cut and falls with similarity', () => {
  fc.assert(
    fc.property(similarities, (nearest) => {
      const cut = outlierCut(nearest);
      const confidences = outlierConfidences(nearest);
      const order = [...nearest.keys()].sort((a, b) => nearest[a]! - nearest[b]!);
      const outliers = order.filter((item) => confidences[item]! >= 0.5);
      expect(outliers.length).toBeLessThanOrEqual(nearest.length * 0.05);
      expect(outliers.every((item) => nearest[item]! <= cut!)).toBe(true);
      nearest.forEach((similarity, item) => {
        if (similarity === cut) expect(confidences[item]).toBe(0.5);
      });
      order.slice(1).forEach((item, at) => expect(confidences[item]).toBeLessThanOrEqual(confidences[order[at]!]!));
    }),
  );
});

test('exactly 5 % are outliers if all similarities differ', () => {
  const nearest = Float32Array.from({ length: 200 }, (_, item) => ((item * 37) % 200) / 200);
  const outliers = outlierConfidences(nearest).filter((confidence) => confidence >= 0.5);
  expect(outliers).toHaveLength(10);
});

test('a single item is not an outlier', () => {
  expect([...outlierConfidences(Float32Array.of(-1))]).toEqual([0]);
});
