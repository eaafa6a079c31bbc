import { discoveries } from './false-discovery';

describe('discoveries', () => {
  it('finds tests up to the last one that is below its share, in any order', () => {
    // The bounds are 0.0125, 0.025, 0.0375 and 0.05: the second smallest is above its own, and the third is not.
    expect([...discoveries([0.9, 0.026, 0.001, 0.037], 0.05)]).toEqual([0, 1, 1, 1]);
    expect([...discoveries([0.9, 0.026, 0.02, 0.04], 0.05)]).toEqual([0, 0, 0, 0]);
  });

  it('needs a smaller chance among more tests', () => {
    const chances: number[] = Array.from({ length: 100 }, (_, at) => (at === 7 ? 0.001 : 0.5));
    expect(discoveries(chances, 0.05)[7]).toBe(0);
    chances[7] = 0.0004;
    expect(discoveries(chances, 0.05)[7]).toBe(1);
    expect([...discoveries([], 0.05)]).toEqual([]);
  });
});
