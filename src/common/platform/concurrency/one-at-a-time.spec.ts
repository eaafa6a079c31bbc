import { setImmediate } from 'node:timers/promises';
import { OneAtATime } from './one-at-a-time';

describe('OneAtATime', () => {
  it('runs work with the same key in order, also after a failure', async () => {
    const turns = new OneAtATime();
    const seen: string[] = [];
    const work =
      (name: string, fails = false) =>
      async (): Promise<string> => {
        seen.push(`${name} begins`);
        await setImmediate();
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      turns.run('x', work('first', true)),
      turns.run('x', work('second')),
      turns.run('x', work('third')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    await expect(turns.run('x', work('fourth'))).resolves.toBe('fourth');
  });

  it('does not block other keys', async () => {
    const turns = new OneAtATime();
    let release = (): void => undefined;
    const held = turns.run('x', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(turns.run('y', () => Promise.resolve('done'))).resolves.toBe('done');
    release();
    await held;
  });
});
