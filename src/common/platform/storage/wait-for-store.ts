import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { outageOf } from '../outage/outage';
import { errorMessage } from '../errors/error-code';
import type { ObjectStore } from './object-store';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const TELL_EVERY_MS = 5_000;

const logger = new Logger('Store');

/** Comes back when the store can be used; throws with one sentence when it answers and can't. */
export async function waitForStore(store: ObjectStore, patienceMs = Infinity): Promise<void> {
  const since = new Date();
  let toldAt = -Infinity;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await store.check();
      return;
    } catch (error) {
      if (outageOf(error) === undefined || Date.now() + pause > since.getTime() + patienceMs) throw error;
      if (Date.now() - toldAt >= TELL_EVERY_MS) {
        toldAt = Date.now();
        logger.warn(`Waiting for the store since ${since.toISOString()}: ${errorMessage(error)}`);
      }
      await delay(pause);
    }
  }
}
