import { RecentlyUsed } from '../storage/s3/s3-links';

describe('RecentlyUsed', () => {
  it('keeps at least half of the maximum number of values', () => {
    const kept = new RecentlyUsed<number>(10);
    for (let at = 0; at < 100; at++) {
      kept.set(String(at), at);
      for (let last = Math.max(0, at - 4); last <= at; last++) expect(kept.get(String(last))).toBe(last);
      expect(kept.get(String(at - 10))).toBeUndefined();
    }
  });

  it('keeps a value while it is used', () => {
    const kept = new RecentlyUsed<string>(10);
    kept.set('used', 'still here');
    for (let at = 0; at < 50; at++) {
      kept.set(String(at), 'other');
      if (at % 3 === 0) expect(kept.get('used')).toBe('still here');
    }
    expect(kept.get('unknown')).toBeUndefined();
  });

  it('replaces a value with the same key', () => {
    const kept = new RecentlyUsed<number>(4);
    for (const value of [1, 2, 3]) kept.set('a', value);
    expect(kept.get('a')).toBe(3);
  });
});
