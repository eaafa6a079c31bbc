import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition; the test's own time limit ends the wait. */
export async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}
