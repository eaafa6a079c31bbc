import fc from 'fast-check';
import { allocateScores } from './score-kernel';

const score = fc.float({ min: -2, max: 2, noNaN: true });

test('finds the next large score at any position, and none beyond the end', () => {
  fc.assert(
    fc.property(fc.array(score, { maxLength: 100 }), fc.nat(100), fc.nat(100), score, (values, one, other, least) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)].map((at) => Math.min(at, values.length));
      const scores = allocateScores(values.length);
      scores.values.set(values);
      const found = values.findIndex((value, at) => at >= from! && at < to! && value >= least);
      expect(scores.next(from!, to!, least)).toBe(found === -1 ? to : found);
    }),
  );
});

test('searches a million scores, and finds every score with a threshold of -Infinity', () => {
  const scores = allocateScores(1_000_000);
  scores.values.fill(-1);
  expect(scores.next(17, 1_000_000, -Infinity)).toBe(17);
  expect(scores.next(0, 1_000_000, 0)).toBe(1_000_000);
  scores.values[999_999] = 0;
  expect(scores.next(3, 1_000_000, 0)).toBe(999_999);
});
