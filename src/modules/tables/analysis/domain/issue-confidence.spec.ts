import { blurConfidence, brightConfidence, darkConfidence } from './media-rows';

describe('issue confidence', () => {
  it('is exactly one half at the thresholds', () => {
    expect(blurConfidence(50)).toBe(0.5);
    expect(darkConfidence(13)).toBe(0.5);
    expect(brightConfidence(220.5)).toBe(0.5);
  });

  it('is 1 at the extremes and 0 far away', () => {
    expect(blurConfidence(0)).toBe(1);
    expect(darkConfidence(0)).toBe(1);
    expect(brightConfidence(255)).toBe(1);
    expect(blurConfidence(1000)).toBeLessThan(0.01);
    expect(darkConfidence(128)).toBeLessThan(0.001);
    expect(brightConfidence(128)).toBeLessThan(0.01);
  });

  it.each([
    ['blur', blurConfidence, [0, 10, 49, 51, 400]],
    ['dark', darkConfidence, [0, 5, 12, 14, 250]],
    ['bright', brightConfidence, [255, 240, 221, 219, 3]],
  ] as const)('%s decreases monotonically', (_, confidence, values) => {
    const seen = values.map(confidence);
    expect([...seen].sort((a, b) => b - a)).toEqual(seen);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
