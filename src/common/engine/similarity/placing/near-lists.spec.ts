import fc from 'fast-check';
import { allocateNearLists, mergeNearLists, offerNear } from './near-lists';

const LENGTH = 4;
const offer = fc.record({
  key: fc.nat(200),
  score: fc.constantFrom(0.1, 0.2, 0.3, 0.4, 0.5, 0.6).map(Math.fround),
  hash: fc.integer({ min: -2, max: 2 }),
});

describe('nearest lists', () => {
  it('contain the best different vectors under their lowest keys, in any order of arrival', () => {
    fc.assert(
      fc.property(fc.array(offer, { maxLength: 60 }), fc.infiniteStream(fc.nat(2)), (offers, threads) => {
        const parts = [0, 1, 2].map(() => allocateNearLists(2, LENGTH));
        for (const { key, score, hash } of offers)
          offerNear(parts[threads.next().value as number]!, 1, key, score, hash);
        const { keys, scores } = mergeNearLists(parts);
        const lowest = new Map<string, { key: number; score: number; hash: number }>();
        for (const each of offers) {
          const name = `${each.score}/${each.hash}`;
          if ((lowest.get(name)?.key ?? Infinity) > each.key) lowest.set(name, each);
        }
        const best = [...lowest.values()].sort((a, b) => b.score - a.score || a.hash - b.hash).slice(0, LENGTH);
        expect([...keys.subarray(LENGTH)].filter((key) => key !== -1)).toEqual(best.map(({ key }) => key));
        expect([...scores.subarray(LENGTH, LENGTH + best.length)]).toEqual(best.map(({ score }) => score));
        expect(keys.subarray(0, LENGTH).every((key) => key === -1)).toBe(true);
      }),
    );
  });
});
