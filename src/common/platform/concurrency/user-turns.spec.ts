import { setImmediate } from 'node:timers/promises';
import { TooManyRequestsError } from '../errors/domain-error';
import { UserTurns } from './turns';

describe('turns between users', () => {
  let turns: UserTurns;
  let begun: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    turns = new UserTurns({ atOnce: 2, mostOfUser: 4, what: 'pictures' });
    begun = [];
    ends = new Map();
  });

  /** The first letter is the user. */
  const start = (name: string): Promise<void> =>
    turns.run(name[0]!, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });

  /** Ends the named one, and lets those begin that may. */
  async function end(name: string): Promise<void> {
    await setImmediate();
    ends.get(name)!();
    await setImmediate();
  }

  it('are one at a time of each user, and others do not wait for all of them', async () => {
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

  it('are refused to a user at the limit, and to no other', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name);
    await expect(start('a5')).rejects.toThrow(TooManyRequestsError);
    void start('b1');
    await end('b1');
    await end('a1');
    void start('a5');
    await end('a2');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('go on after work that fails', async () => {
    const failing = turns.run('a', () => Promise.reject(new Error('damaged')));
    const next = start('a2');
    await expect(failing).rejects.toThrow('damaged');
    await end('a2');
    await next;
  });
});
