import { setImmediate } from 'node:timers/promises';

const STEPS_AT_ONCE = 2 ** 18;

/** Yields to the event loop after a number of steps, a few milliseconds of work. */
export class Pace {
  private left = STEPS_AT_ONCE;

  /** Returns undefined while steps are left: awaiting each time would cost more than the steps. */
  after(steps: number): Promise<void> | undefined {
    this.left -= steps;
    if (this.left > 0) return undefined;
    this.left = STEPS_AT_ONCE;
    return setImmediate();
  }
}
