import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

const LESS_URGENT = 5;

/**
 * Lets who answers requests go first while all cores are at work: for this thread, and those that it starts take after it.
 * Only Linux gives threads a priority of their own.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LESS_URGENT);
}
