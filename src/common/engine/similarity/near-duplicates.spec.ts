import fc from 'fast-check';
import { cosineOf, leastCosine, LEAST_SIMILARITY, NEAR_DUPLICATES, similarityOf } from './near-duplicates';

const cut = fc.double({ min: 0.2, max: 0.999, noNaN: true });
const similarity = fc.double({ min: LEAST_SIMILARITY, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

describe('the scale of near duplicates', () => {
  it('is the cosine itself for a model that names no other', () => {
    const isSame = (value: number): boolean =>
      cosineOf(value, NEAR_DUPLICATES) === value && similarityOf(value, NEAR_DUPLICATES) === value;
    fc.assert(fc.property(cosine, isSame));
    expect(leastCosine()).toBe(LEAST_SIMILARITY);
  });

  it('goes through the cosine of the model, and through 1', () => {
    expect([1, 0.95, 0.8].map((of) => cosineOf(of, 0.86))).toEqual([1, expect.closeTo(0.86), expect.closeTo(0.71)]);
    expect([1, 0.86, 0.71].map((of) => similarityOf(of, 0.86))).toEqual([1, expect.closeTo(0.95), expect.closeTo(0.8)]);
    expect(cosineOf(0.975, 0.86)).toBeCloseTo(0.93);
    fc.assert(fc.property(cut, (at) => cosineOf(1, at) === 1 && similarityOf(1, at) === 1));
  });

  it('converts back and forth', () => {
    fc.assert(
      fc.property(similarity, cut, (of, at) => {
        expect(similarityOf(cosineOf(of, at), at)).toBeCloseTo(of, 9);
      }),
    );
  });

  it('rises, and has no cosine of a similarity below the least of the pairs', () => {
    fc.assert(
      fc.property(similarity, similarity, cut, (one, other, at) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(cosineOf(less, at)).toBeLessThanOrEqual(cosineOf(more, at) + 1e-15);
        expect(cosineOf(less, at)).toBeGreaterThanOrEqual(leastCosine(at));
        expect(cosineOf(more, at)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
