/** The pauses before a failed picture is requested again. After the last one, it is requested by hand only. */
const PAUSES_MS = [500, 2_500, 10_000];

/** Undefined where it was asked for often enough. Many fail at once, so they do not come back at once. */
export const pauseAfter = (failures: number, random = Math.random): number | undefined => {
  const pause = PAUSES_MS[failures - 1];
  return pause === undefined ? undefined : Math.round(pause * (0.75 + random() / 2));
};

/** Tells pictures that failed that it is worth asking for them again. */
class SecondChances {
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly give = (): void => {
    for (const listener of [...this.listeners]) listener();
  };
}

export const secondChances = new SecondChances();
