import fc from 'fast-check';
import { blendOf } from './blend-kernel';

const numbers = fc.float({ min: -1, max: 1, noNaN: true });
const vectors = fc
  .integer({ min: 1, max: 70 })
  .chain((dimension) =>
    fc.array(fc.tuple(fc.array(numbers, { minLength: dimension, maxLength: dimension }), numbers), { minLength: 1 }),
  );

test('vectors of any dimension are added by their weights', () => {
  fc.assert(
    fc.property(vectors, (weighted) => {
      const dimension = weighted[0]![0].length;
      const blend = blendOf(dimension);
      blend.sum.fill(0);
      const expected = new Float64Array(dimension);
      for (const [vector, weight] of weighted) {
        blend.next.set(vector);
        blend.add(weight);
        vector.forEach((value, at) => (expected[at]! += value * weight));
      }
      expected.forEach((value, at) => expect(blend.sum[at]).toBeCloseTo(value, 4));
    }),
  );
});
