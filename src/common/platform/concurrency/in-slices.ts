import { setImmediate, setTimeout } from 'node:timers/promises';

const PAUSE_MS = 500;

const SLICE = 2 ** 18;

let last: Promise<void> = Promise.resolve();

/** Waits for an event loop iteration that no other caller gets, so that concurrent requests do not add up to a stall. */
export function yieldTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Runs a loop over 0..count in slices of a few milliseconds, yielding to the event loop in between. */
export async function inSlices(count: number, run: (start: number, end: number) => void, slice = SLICE): Promise<void> {
  for (let start = 0; start < count; start += slice) {
    if (start > 0) await yieldTurn();
    run(start, Math.min(count, start + slice));
  }
}

/** Delays prefetching so that it does not compete with the response. */
export const beforeReadingAhead = (): Promise<void> => setTimeout(PAUSE_MS, undefined, { ref: false });

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
