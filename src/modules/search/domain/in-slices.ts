import { setImmediate } from 'node:timers/promises';

const SLICE = 2 ** 18;

/** Runs a loop over 0..count in slices of a few milliseconds, and lets others run in between. */
export async function inSlices(count: number, run: (start: number, end: number) => void): Promise<void> {
  for (let start = 0; start < count; start += SLICE) {
    if (start > 0) await setImmediate();
    run(start, Math.min(count, start + SLICE));
  }
}
