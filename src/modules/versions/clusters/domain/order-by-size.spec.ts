import fc from 'fast-check';
import { largestPlaces, orderBySize } from './order-by-size';

const sizes = fc.array(fc.oneof(fc.nat(5), fc.integer({ min: 4000, max: 5000 })), { maxLength: 200 });

it('orders indices by descending size, then by index', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 60 }), async (given, wanted) => {
      const expected = given.flatMap((size, i) => (size > 0 ? [i] : [])).sort((a, b) => given[b]! - given[a]! || a - b);
      const array = Int32Array.from(given);
      expect([...(await orderBySize(array))]).toEqual(expected);
      const { places, filled } = await largestPlaces(array, wanted);
      expect(filled).toBe(expected.length);
      expect([...places]).toEqual(expected.slice(0, wanted));
    }),
    { numRuns: 300 },
  );
});

it('returns the requested number', async () => {
  const given = Int32Array.from({ length: 20_000 }, (_, i) => i % 50);
  const order = await orderBySize(given);
  const { places, filled } = await largestPlaces(given, 10_000);
  expect(filled).toBe(19_600);
  expect(places).toEqual(order.subarray(0, 10_000));
});
