import { assertCallerWaits, CallerGoneError, whileCallerWaits } from '../concurrency/caller-gone';
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

  it('with keepsLast, keeps the value used last, whatever its weight', () => {
    const cache = new BoundedCache<string>(3, (value) => value.length, { keepsLast: true });
    cache.set('a', 'a');
    cache.set('b', 'bbbb');
    expect([cache.get('a'), cache.get('b'), cache.weight]).toEqual([undefined, 'bbbb', 4]);
    cache.set('c', 'ccccc');
    expect([cache.get('b'), cache.get('c'), cache.weight]).toEqual([undefined, 'ccccc', 5]);
    cache.set('d', 'ddd');
    cache.set('e', '');
    expect([cache.get('c'), cache.get('d'), cache.get('e'), cache.weight]).toEqual([undefined, 'ddd', '', 3]);
  });

  it('updates the weight of a value that has grown, and evicts others for it', () => {
    const cache = new BoundedCache<number[]>(3, (value) => value.length);
    const growing = [1];
    cache.set('other', [1, 2]);
    cache.set('growing', growing);
    growing.push(2);
    expect(cache.weight).toBe(3);
    cache.weighAgain('growing');
    expect([cache.get('other'), cache.get('growing'), cache.weight]).toEqual([undefined, [1, 2], 2]);
    growing.push(3, 4);
    cache.weighAgain('growing');
    cache.weighAgain('none');
    expect([cache.get('growing'), cache.weight]).toEqual([undefined, 0]);
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

  it('continues a load for others after its first caller has left', async () => {
    const cache = new BoundedCache<number>(10);
    let isGone = false;
    let go = (): void => undefined;
    const waits = new Promise<void>((resolve) => (go = resolve));
    const load = async (): Promise<number> => {
      await waits;
      assertCallerWaits();
      return 7;
    };
    const first = whileCallerWaits(
      () => isGone,
      () => cache.getOrLoad('k', load),
    );
    const others = [1, 2].map(() => cache.getOrLoad('k', load));
    isGone = true;
    go();
    await expect(first).rejects.toThrow(CallerGoneError);
    expect(await Promise.all(others)).toEqual([7, 7]);
  });

  it('forgets a failed load', async () => {
    const cache = new BoundedCache<number>(10);
    await expect(cache.getOrLoad('k', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.getOrLoad('k', () => Promise.resolve(7))).toBe(7);
  });
});
