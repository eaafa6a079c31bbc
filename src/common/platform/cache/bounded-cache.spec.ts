import { BoundedCache } from './bounded-cache';

describe('BoundedCache', () => {
  it('evicts the least recently used value', () => {
    const cache = new BoundedCache<string>(6, (value) => value.length);
    cache.set('a', 'aaa');
    cache.set('b', 'bbb');
    cache.get('a');
    cache.set('c', 'c');
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['aaa', undefined, 'c']);
    expect(cache.weight).toBe(4);
  });

  it('does not keep a value larger than its limit', () => {
    const cache = new BoundedCache<string>(3, (value) => value.length);
    cache.set('a', 'a');
    cache.set('b', 'bbbb');
    expect([cache.get('a'), cache.get('b')]).toEqual(['a', undefined]);
  });

  it('counts a replaced value once', () => {
    const cache = new BoundedCache<string>(5, (value) => value.length);
    cache.set('a', 'aaaa');
    cache.set('a', 'aa');
    expect(cache.weight).toBe(2);
  });

  it('loads a value once for concurrent callers', async () => {
    const cache = new BoundedCache<number>(10);
    let loads = 0;
    const load = () => Promise.resolve(++loads);
    const values = await Promise.all([1, 2, 3].map(() => cache.getOrLoad('k', load)));
    expect(values).toEqual([1, 1, 1]);
    expect(await cache.getOrLoad('k', load)).toBe(1);
  });

  it('forgets a failed load', async () => {
    const cache = new BoundedCache<number>(10);
    await expect(cache.getOrLoad('k', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.getOrLoad('k', () => Promise.resolve(7))).toBe(7);
  });
});
