import { alphaOf, pointAlpha } from './drawing';

describe('the strength of points', () => {
  it('is the same where all tiles have all of their points', () => {
    expect(alphaOf(0.9, 1, 1)).toBe(0.9);
  });

  it('is less where a tile has more of its points than another', () => {
    const [dense, middling, whole] = [0.25, 0.5, 1].map((share) => alphaOf(0.9, share, 0.25));
    expect(dense).toBe(0.9);
    expect(middling).toBeLessThan(0.9);
    expect(whole).toBeLessThan(middling!);
  });

  it('is enough to see a point that is alone', () => {
    expect(alphaOf(0.9, 1, 0.001)).toBe(0.4);
  });

  it('lets points be seen through each other where they are small', () => {
    expect(pointAlpha(2)).toBeLessThan(pointAlpha(5));
    expect(pointAlpha(13)).toBe(0.92);
  });
});
