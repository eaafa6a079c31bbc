import { FILE_ANNOTATIONS, filesToMerge, mergedWith, MOST_MERGED, type SegmentRecord } from './annotation-state';

const segment = (size: number): SegmentRecord => ({ id: 'x', size, pictures: 0, replaced: [] });

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
      const size = segments.slice(kept).reduce((sum, each) => sum + each.size, 1);
      written += size;
      segments = [...segments.slice(0, kept), segment(size)];
      expect(segments.length).toBeLessThan(20);
    }
    expect(written / 5_000).toBeLessThan(20);
  });
});

describe('files that are written anew', () => {
  const sized = (sizes: readonly number[]): SegmentRecord[] => sizes.map(segment);
  const many = Array<number>(20).fill(1_000);

  it.each([
    [[], undefined],
    [many.slice(0, 16), undefined],
    [many, many],
    [[FILE_ANNOTATIONS, ...many], many],
    [[5, FILE_ANNOTATIONS, ...many, FILE_ANNOTATIONS, 7, 8], many],
    [Array<number>(20).fill(100_000), undefined],
  ])('of %j are %j', (sizes, expected) =>
    expect(filesToMerge(sized(sizes), 1_000)?.map(({ size }) => size)).toEqual(expected),
  );

  it('are all if later ones replaced most of what they say', () => {
    const whole = { ...segment(FILE_ANNOTATIONS), pictures: 100_000 };
    expect(filesToMerge([whole, whole], 100_000)).toBeUndefined();
    expect(filesToMerge([whole, whole, whole], 100_000)).toHaveLength(3);
  });

  it('come to an end, and leave few files', () => {
    let segments: SegmentRecord[] = [];
    for (let change = 0; change < 500; change++) {
      segments = [...segments, { ...segment(10_000), pictures: 3_000 }];
      const files = filesToMerge(segments, 100_000);
      if (files === undefined) continue;
      const first = segments.indexOf(files[0]!);
      const size = files.reduce((sum, each) => sum + each.size, 0);
      segments = segments.toSpliced(first, files.length, { ...segment(size), pictures: 3_000 });
      expect(filesToMerge(segments, 100_000)).toBeUndefined();
    }
    expect(segments.length).toBeLessThan(60);
  });
});
