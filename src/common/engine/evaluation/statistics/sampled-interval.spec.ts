import { sampledDifference, sampledInterval, within } from './sampled-interval';

describe('the interval of a figure in samples', () => {
  it('is as wide as samples differ', () => {
    const [low, high] = sampledInterval(0.5, [0.4, 0.6, 0.4, 0.6])!;
    expect(low).toBeCloseTo(0.5 - 1.96 * Math.sqrt(0.04 / 3));
    expect(high).toBeCloseTo(0.5 + 1.96 * Math.sqrt(0.04 / 3));
  });

  it('holds the figure, and reaches as far below it as samples lie above it', () => {
    const [low, high] = sampledInterval(0.5, [0.6, 0.6, 0.6])!;
    expect(low).toBeCloseTo(0.4);
    expect(high).toBe(0.5);
  });

  it('is not known if most samples have no figure', () => {
    expect(sampledInterval(0.5, [0.5, null, null])).toBeUndefined();
    expect(sampledInterval(0.5, [])).toBeUndefined();
    expect(sampledInterval(0.5, [0.5, 0.5, null])).toEqual([0.5, 0.5]);
  });

  it('is of differences where both samples have a figure', () => {
    expect(sampledDifference([0.25, null, 0.5], [0.5, 0.5, null])).toEqual([0.25, null, null]);
    expect(within([-0.5, 1.5], 0, 1)).toEqual([0, 1]);
  });
});
