import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

const LOW_PRIORITY = 5;

/**
 * Lowers the priority of this thread and those it starts, so that requests are served first when all cores are busy. Only Linux has
 * priorities per thread.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LOW_PRIORITY);
}
