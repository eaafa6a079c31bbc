import { setTimeout as delay } from 'node:timers/promises';

// Each question costs the service some milliseconds, and several tests ask at a time.
const [SHORTEST_MS, LONGEST_MS] = [10, 100];

/** Polls a condition at increasing intervals; the test's own time limit ends the wait. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let pause = SHORTEST_MS; !(await condition()); pause = Math.min(LONGEST_MS, pause * 1.3)) await delay(pause);
}
