import { unmatchedWarnings } from './annotation';

describe('the report of annotations that match nothing', () => {
  it('names some of them', () => {
    const names = Array.from({ length: 25 }, (_, at) => `${at}.jpg`);
    const [warning] = unmatchedWarnings({ names, count: 25, total: 30 });
    expect(warning).toMatch(/^25 of 30 annotations match no medium .*: 0\.jpg, .*19\.jpg and 5 more\.$/);
  });

  it('is empty if all annotations match', () => {
    expect(unmatchedWarnings({ names: [], count: 0, total: 30 })).toEqual([]);
  });

  it('shortens long names', () => {
    const [warning] = unmatchedWarnings({ names: ['a'.repeat(4000)], count: 1, total: 1 });
    expect(warning!.length).toBeLessThan(400);
  });
});
