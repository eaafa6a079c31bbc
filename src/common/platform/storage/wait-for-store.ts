import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { outageOf } from '../outage/outage';
import { errorMessage } from '../errors/error-code';
import type { ObjectStore } from './object-store';

const FIRST_PAUSE_MS = 100;
const MAX_DELAY_MS = 2_000;
const LOG_EVERY_MS = 5_000;

const logger = new Logger('Store');

/** Resolves when the store can be used; rejects with one sentence if the store responds but cannot be used. */
export async function waitForStore(store: ObjectStore, maxWaitMs = Infinity): Promise<void> {
  const since = new Date();
  let loggedAt = -Infinity;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_DELAY_MS)) {
    try {
      await store.check();
      return;
    } catch (error) {
      if (outageOf(error) === undefined || Date.now() + pause > since.getTime() + maxWaitMs) throw error;
      if (Date.now() - loggedAt >= LOG_EVERY_MS) {
        loggedAt = Date.now();
        logger.warn(`Waiting for the store since ${since.toISOString()}: ${errorMessage(error)}`);
      }
      await delay(pause);
    }
  }
}
