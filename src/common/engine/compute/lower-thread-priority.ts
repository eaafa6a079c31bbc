import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const LOW_PRIORITY = 5;

/**
 * Lowers the priority of this thread and those it starts, so that requests are served first when all cores are busy. Only Linux has
 * priorities per thread.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  const thread = Number(basename(readlinkSync('/proc/thread-self')));
  // A service started with "nice" may have a lower priority already, which only root may raise.
  if (getPriority(thread) < LOW_PRIORITY) setPriority(thread, LOW_PRIORITY);
}
