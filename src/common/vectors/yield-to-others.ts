import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

const LESS_URGENT = 10;

/**
 * Lets every other thread of the process go first, and those that this thread starts take after it: who answers requests must not wait
 * while all cores multiply. Only Linux gives threads a priority of their own.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LESS_URGENT);
}
