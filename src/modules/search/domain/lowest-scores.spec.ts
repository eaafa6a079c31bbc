import fc from 'fast-check';
import { lowestScores } from './lowest-scores';

const score = fc.oneof(fc.float({ min: -5, max: 5, noNaN: true }), fc.constant(Infinity), fc.constantFrom(0, 0.25));

it('finds where the lowest scores end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(score, { maxLength: 300 }), fc.integer({ min: 1, max: 50 }), async (scores, wanted) => {
      const finite = scores.filter((each) => each < Infinity).sort((a, b) => a - b);
      const found = await lowestScores(Float32Array.from(scores), wanted);
      expect(found.finite).toBe(finite.length);
      const last = finite[Math.min(wanted, finite.length) - 1];
      if (last !== undefined) expect(found.bound).toBeGreaterThanOrEqual(last);
    }),
  );
});

it('leaves few more than are wanted', async () => {
  const scores = Float32Array.from({ length: 100_000 }, (_, i) => ((i * 7919) % 100_000) / 100_000);
  const { bound } = await lowestScores(scores, 100);
  expect(scores.filter((each) => each <= bound).length).toBeLessThan(110);
});
