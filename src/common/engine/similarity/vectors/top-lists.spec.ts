import fc from 'fast-check';
import { allocateTopLists, offer } from './top-lists';

const candidates = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 40 }).chain((keys) =>
  fc.tuple(
    ...keys.map((key) =>
      fc.tuple(
        fc.constant(key),
        fc.integer({ min: 0, max: 5 }).map((score) => score / 8),
      ),
    ),
  ),
);

test('a list contains the best scores, in any order of arrival', () => {
  fc.assert(
    fc.property(
      candidates.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, arriving]) => {
        const lists = allocateTopLists(2, 6);
        for (const [key, score] of arriving) offer(lists, 1, key, score);
        const best = [...all].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 6);
        expect([...lists.keys.subarray(6)].filter((key) => key !== -1)).toEqual(best.map(([key]) => key));
        expect([...lists.keys.subarray(0, 6)]).toEqual([-1, -1, -1, -1, -1, -1]);
      },
    ),
  );
});
