import { alphaOf, pointAlpha } from './drawing';

describe('opacity of points', () => {
  it('is the same if all tiles have all of their points', () => {
    expect(alphaOf(0.9, 1, 1)).toBe(0.9);
  });

  it('is lower if a tile has more of its points than another', () => {
    const [dense, middling, whole] = [0.25, 0.5, 1].map((share) => alphaOf(0.9, share, 0.25));
    expect(dense).toBe(0.9);
    expect(middling).toBeLessThan(0.9);
    expect(whole).toBeLessThan(middling!);
  });

  it('is high enough for an isolated point', () => {
    expect(alphaOf(0.9, 1, 0.001)).toBe(0.4);
  });

  it('makes small points translucent', () => {
    expect(pointAlpha(2)).toBeLessThan(pointAlpha(5));
    expect(pointAlpha(13)).toBe(0.92);
  });
});
