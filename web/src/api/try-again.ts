const FIRST_MS = 1_500;
const MOST_MS = 30_000;
/** A service that is lost again sooner is not back for good, or only a part of it can be reached. */
const STEADY_MS = 60_000;

/** How long to wait before a service that was lost is asked for again: each time longer, until it was steady for a while. */
export class TryAgain {
  private returnedAt = -Infinity;
  private delayMs = FIRST_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get afterMs(): number {
    return this.delayMs;
  }

  lost(): void {
    const isSteady = this.now() - this.returnedAt > STEADY_MS;
    this.delayMs = isSteady ? FIRST_MS : Math.min(2 * this.delayMs, MOST_MS);
  }

  returned(): void {
    this.returnedAt = this.now();
  }
}
