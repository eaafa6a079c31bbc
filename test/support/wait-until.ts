import { setTimeout as delay } from 'node:timers/promises';

// Each question costs the service some milliseconds, and several tests ask at a time.
const [SHORTEST_MS, LONGEST_MS] = [10, 100];

/** For a state that stays, asked of the API: a wait of some seconds takes half as many questions. */
export const UNHURRIED_MS = 400;

/** Polls a condition at increasing intervals; the test's own time limit ends the wait. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, longestMs = LONGEST_MS): Promise<void> {
  for (let pause = SHORTEST_MS; !(await condition()); pause = Math.min(longestMs, pause * 1.3)) await delay(pause);
}
