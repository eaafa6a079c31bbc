import { mixedIn, randomKey } from './random-order';

describe('a random order', () => {
  it('spreads keys evenly, and differs from seed to seed', () => {
    const keys = (seed: number) => Array.from({ length: 10_000 }, (_, at) => randomKey(seed, at));
    for (const seed of [0, 1, 2]) {
      const tenths = keys(seed).reduce(
        (counts, key) => counts.with(Math.floor(key * 10), counts[Math.floor(key * 10)]! + 1),
        Array<number>(10).fill(0),
      );
      for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
    }
    expect(keys(1).slice(0, 5)).not.toEqual(keys(2).slice(0, 5));
    expect(new Set(keys(0)).size).toBeGreaterThan(9_990);
  });

  it('mixes others in among items that keep their order', () => {
    const mixed = mixedIn([0, 1, 2, 3, 4, 5, 6, 7], [100, 101, 102], 7);
    expect(mixed.filter((each) => each < 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(mixed.filter((each) => each >= 100).sort()).toEqual([100, 101, 102]);
  });
});
