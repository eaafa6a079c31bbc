import { setTimeout } from 'node:timers/promises';

const PAUSE_MS = 500;

/** What nobody asked for yet is read after a pause, so that it takes no time from the answer that made it likely. */
export const beforeReadingAhead = (): Promise<void> => setTimeout(PAUSE_MS, undefined, { ref: false });
