import { CountedRequests } from './counted-requests';

describe('counted requests', () => {
  let now: number;
  let counted: CountedRequests;

  beforeEach(() => {
    now = 5_000;
    counted = new CountedRequests(() => now);
  });

  const ask = (key = 'a', limit = 3) => counted.increment(key, 60_000, limit);

  it('are refused above the limit, until the oldest is a minute old', async () => {
    await ask();
    now += 20_000;
    await ask();
    expect(await ask()).toMatchObject({ isBlocked: false, totalHits: 3, timeToExpire: 40 });
    expect(await ask()).toMatchObject({ isBlocked: true, totalHits: 4, timeToBlockExpire: 40 });
    now += 39_000;
    expect(await ask()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    now += 1_000;
    expect(await ask()).toMatchObject({ isBlocked: false, totalHits: 3 });
    expect(await ask()).toMatchObject({ isBlocked: true, timeToBlockExpire: 20 });
  });

  it('are counted per caller', async () => {
    for (let times = 0; times < 3; times += 1) await ask('a');
    expect(await ask('a')).toMatchObject({ isBlocked: true });
    expect(await ask('b')).toMatchObject({ isBlocked: false, totalHits: 1 });
  });

  it('are removed with their callers', async () => {
    for (let caller = 0; caller < 100; caller += 1) await ask(String(caller));
    expect(counted.callers).toBe(100);
    now += 130_000;
    await ask('last');
    expect(counted.callers).toBe(1);
  });

  it('do not count after a minute', async () => {
    for (let times = 0; times < 3; times += 1) await ask();
    now += 3_600_000;
    expect(await ask()).toMatchObject({ isBlocked: false, totalHits: 1 });
  });
});
