import { middle, Resampling } from './resampling';

describe('Resampling', () => {
  it('draws the same samples with the same seed, and others with another', () => {
    const drawn = (seed: number): number[] => {
      const resampling = new Resampling(101, seed);
      resampling.draw();
      resampling.draw();
      return [...resampling.times];
    };
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  it('draws each picture once on average, and not at all in the share that is left out of samples with replacement', () => {
    const resampling = new Resampling(10_001, 3);
    let [total, none] = [0, 0];
    for (let draw = 0; draw < 100; draw++) {
      resampling.draw();
      for (const times of resampling.times) {
        total += times;
        if (times === 0) none += 1;
      }
    }
    expect(Math.abs(total / 1_000_100 - 1)).toBeLessThan(0.005);
    expect(Math.abs(none / 1_000_100 - Math.exp(-1))).toBeLessThan(0.005);
  });
});

describe('middle', () => {
  it('leaves out both ends, and what is not a number', () => {
    const numbers = Float64Array.from({ length: 101 }, (_, at) => 100 - at);
    const [low, high] = middle(numbers, 0.9)!;
    expect(low).toBeCloseTo(5);
    expect(high).toBeCloseTo(95);
    expect(middle(Float64Array.of(NaN, 2, NaN, 4), 1)).toEqual([2, 4]);
    expect(middle(Float64Array.of(NaN), 0.9)).toBeUndefined();
  });
});
