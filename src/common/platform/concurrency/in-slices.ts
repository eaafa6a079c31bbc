import { setImmediate } from 'node:timers/promises';

const SLICE = 2 ** 18;

let last: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop that no other caller gets, so that concurrent requests don't add up to a stall. */
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
