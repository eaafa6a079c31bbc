import { defaultLadder, defaultNearDuplicates, MeanCosine } from './default-ladder';

describe('the default thresholds of uploaded vectors', () => {
  it('are those of the built-in model if vectors are independent', () => {
    expect(defaultLadder(0)).toEqual([0.9, 0.8, 0.73, 0.66, 0.58]);
    expect(defaultLadder(-0.2)).toEqual(defaultLadder(0));
    expect(defaultNearDuplicates(0)).toBe(0.95);
  });

  it('are higher if all vectors are similar, and always descend', () => {
    expect(defaultLadder(0.5).map((cosine) => cosine.toFixed(3))).toEqual([
      '0.950',
      '0.900',
      '0.865',
      '0.830',
      '0.790',
    ]);
    expect(defaultNearDuplicates(0.5)).toBeCloseTo(0.975);
    expect(defaultNearDuplicates(1)).toBeLessThan(1);
    const ladder = defaultLadder(1);
    expect([...ladder].sort((a, b) => b - a)).toEqual([...ladder]);
    expect(new Set(ladder).size).toBe(5);
  });

  it('follow the mean cosine of all pairs', () => {
    const vectors = [
      [1, 0],
      [0, 1],
      [0.6, 0.8],
    ] as const;
    const mean = new MeanCosine(2);
    mean.add(Float32Array.from([...vectors[0], ...vectors[1]]));
    mean.add(Float32Array.from(vectors[2]));
    expect(mean.value()).toBeCloseTo((0 + 0.6 + 0.8) / 3, 6);
    expect(new MeanCosine(2).value()).toBe(0);
  });
});
