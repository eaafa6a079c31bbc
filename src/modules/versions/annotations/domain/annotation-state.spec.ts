import { mergedWith, MOST_MERGED, type SegmentRecord } from './annotation-state';

const segment = (annotations: number): SegmentRecord => ({ id: 'x', annotations, pictures: 0, replaced: [] });

describe('files that a new one takes in', () => {
  it.each([
    [[], 5, 0],
    [[100], 5, 0],
    [[100, 10], 5, 1],
    [[100, 10, 4, 2], 1, 3],
    [[MOST_MERGED], MOST_MERGED, 0],
  ])('of %j for a file of %d are the last %d', (sizes, size, expected) =>
    expect(mergedWith(sizes.map(segment), size)).toBe(expected),
  );

  it('keep the number of files small, and what is written again', () => {
    let segments: SegmentRecord[] = [segment(MOST_MERGED)];
    let written = 0;
    for (let change = 0; change < 5_000; change++) {
      const kept = segments.length - mergedWith(segments, 1);
      const size = segments.slice(kept).reduce((sum, { annotations }) => sum + annotations, 1);
      written += size;
      segments = [...segments.slice(0, kept), segment(size)];
      expect(segments.length).toBeLessThan(20);
    }
    expect(written / 5_000).toBeLessThan(20);
  });
});
