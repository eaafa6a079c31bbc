import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorCode, errorMessage } from './error-code';
import type { ObjectStore } from './object-store';

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const TELL_EVERY_MS = 5_000;
const DEEPEST_CAUSE = 5;

const logger = new Logger('Store');

/** Whether nobody answers there, which may change; what a store that answers refuses does not. */
function isAway(error: unknown): boolean {
  let met = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && met instanceof Error; depth += 1) {
    if (AWAY.has(errorCode(met) ?? '')) return true;
    met = met.cause;
  }
  return false;
}

/** Comes back when the store can be used; throws with one sentence when it answers and can't. */
export async function waitForStore(store: ObjectStore, patienceMs = Infinity): Promise<void> {
  const since = new Date();
  let toldAt = -Infinity;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await store.check();
      return;
    } catch (error) {
      if (!isAway(error) || Date.now() + pause > since.getTime() + patienceMs) throw error;
      if (Date.now() - toldAt >= TELL_EVERY_MS) {
        toldAt = Date.now();
        logger.warn(`Waiting for the store since ${since.toISOString()}: ${errorMessage(error)}`);
      }
      await delay(pause);
    }
  }
}
