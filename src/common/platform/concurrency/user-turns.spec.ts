import { setImmediate } from 'node:timers/promises';
import { TooManyRequestsError } from '../errors/domain-error';
import { UserTurns } from './turns';

describe('UserTurns', () => {
  let turns: UserTurns;
  let begun: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    turns = new UserTurns({ atOnce: 2, mostOfUser: 4, what: 'pictures' });
    begun = [];
    ends = new Map();
  });

  /** The first letter of the name is the user. */
  const start = (name: string): Promise<void> =>
    turns.run(name[0]!, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });

  /** Ends the named work, and lets other work start. */
  async function end(name: string): Promise<void> {
    await setImmediate();
    ends.get(name)!();
    await setImmediate();
  }

  it('gives each user one turn at a time, so that one user does not block others', async () => {
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void start(name);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
    await end('c1');
    expect(begun).toHaveLength(4);
    await end('a2');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('refuses more work of a user at the limit, but not of others', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name);
    await expect(start('a5')).rejects.toThrow(TooManyRequestsError);
    void start('b1');
    await end('b1');
    await end('a1');
    void start('a5');
    await end('a2');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('continues after a failure', async () => {
    const failing = turns.run('a', () => Promise.reject(new Error('damaged')));
    const next = start('a2');
    await expect(failing).rejects.toThrow('damaged');
    await end('a2');
    await next;
  });
});
