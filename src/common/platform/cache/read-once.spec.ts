import { ReadOnce } from './bounded-cache';

describe('ReadOnce', () => {
  it('reads the value on first use, and keeps it', async () => {
    let reads = 0;
    const once = new ReadOnce(() => Promise.resolve(++reads));
    expect(reads).toBe(0);
    expect(await Promise.all([once.get(), once.get()])).toEqual([1, 1]);
    expect(await once.get()).toBe(1);
  });

  it('reports a failure to all concurrent callers, and reads again afterwards', async () => {
    let reads = 0;
    const once = new ReadOnce(() => (++reads === 1 ? Promise.reject(new Error('away')) : Promise.resolve(reads)));
    const [first, second] = await Promise.allSettled([once.get(), once.get()]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    expect(await once.get()).toBe(2);
  });
});
