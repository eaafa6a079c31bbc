import { setImmediate } from 'node:timers/promises';

const STEPS_AT_ONCE = 2 ** 18;

/** Lets others run after so many steps, a few milliseconds of work. */
export class Pace {
  private left = STEPS_AT_ONCE;

  /** Nothing to wait for while steps are left: waiting each time would cost more than the steps. */
  after(steps: number): Promise<void> | undefined {
    this.left -= steps;
    if (this.left > 0) return undefined;
    this.left = STEPS_AT_ONCE;
    return setImmediate();
  }
}
