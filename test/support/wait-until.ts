import { setTimeout as delay } from 'node:timers/promises';

// Each check takes the service some milliseconds, and several tests run at a time.
const [SHORTEST_MS, LONGEST_MS] = [10, 100];

/** For permanent states that are read with the API: halves the number of checks during waits of some seconds. */
export const UNHURRIED_MS = 400;

/** Polls a condition at increasing intervals; limited by the timeout of the test. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, longestMs = LONGEST_MS): Promise<void> {
  for (let pause = SHORTEST_MS; !(await condition()); pause = Math.min(longestMs, pause * 1.3)) await delay(pause);
}
