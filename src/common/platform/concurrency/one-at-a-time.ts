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
