/** Serialises work with the same key, in the order of the calls. */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = running.catch(() => undefined);
    this.last.set(key, ended);
    try {
      return await running;
    } finally {
      if (this.last.get(key) === ended) this.last.delete(key);
    }
  }
}

/** The maximum of optimistic attempts: a conflict means that another process succeeded. */
const MOST_TRIES = 20;

/** Attempts again while an attempt returns undefined because of a conflict; throws `busy` after many. */
export async function untilDone<T>(
  attempt: () => Promise<{ readonly result: T } | undefined>,
  busy: () => Error,
): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const done = await attempt();
    if (done !== undefined) return done.result;
  }
  throw busy();
}
