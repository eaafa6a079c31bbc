import { Turns } from './turns';

interface Work {
  readonly started: boolean;
  end(): Promise<void>;
}

function begin(turns: Turns, alone = false): Work {
  let started = false;
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const done = turns.run(alone, () => {
    started = true;
    return released;
  });
  return {
    get started() {
      return started;
    },
    end: () => {
      release();
      return done;
    },
  };
}

/** Resolves when all work that may start has started. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Turns', () => {
  it('runs as much work as the limit allows, and the next when one ends', async () => {
    const turns = new Turns(2);
    const works = [begin(turns), begin(turns), begin(turns)];
    await settled();
    expect(works.map(({ started }) => started)).toEqual([true, true, false]);
    await works[0]!.end();
    await settled();
    expect(works[2]!.started).toBe(true);
  });

  it('runs exclusive work alone, in the order of arrival', async () => {
    const turns = new Turns(2);
    const first = begin(turns);
    const alone = begin(turns, true);
    const last = begin(turns);
    await settled();
    expect([alone.started, last.started]).toEqual([false, false]);
    await first.end();
    await settled();
    expect([alone.started, last.started]).toEqual([true, false]);
    await alone.end();
    await settled();
    expect(last.started).toBe(true);
  });

  it('continues after a failure', async () => {
    const turns = new Turns(1);
    await expect(turns.run(false, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(true, () => Promise.resolve(7))).toBe(7);
  });
});
