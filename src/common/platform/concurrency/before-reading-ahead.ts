import { setTimeout } from 'node:timers/promises';

const PAUSE_MS = 500;

/** Delays prefetching so that it does not compete with the response. */
export const beforeReadingAhead = (): Promise<void> => setTimeout(PAUSE_MS, undefined, { ref: false });
