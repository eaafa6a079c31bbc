import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL } from './readers/reader-messages';
import { LIMIT, TOOL_LIMIT, TOOLS, type WatchedChild } from './memory-share';

const EVERY_MS = 50;
const MEGABYTE = 1024 * 1024;

const { parent, numbers } = workerData as WatchedChild;

// Signals without a handler end a process even if a file blocks its main thread.
setInterval(() => {
  // An orphaned process gets another parent.
  if (process.ppid !== parent) process.kill(-process.pid, 'SIGKILL');
  const limit = Atomics.load(numbers, LIMIT);
  if (limit > 0 && process.memoryUsage.rss() > limit * MEGABYTE) process.kill(-process.pid, MEMORY_SIGNAL);
  for (let at = TOOLS; at < numbers.length; at++) {
    const pid = Atomics.load(numbers, at);
    if (pid > 0 && residentBytes(pid) > Atomics.load(numbers, TOOL_LIMIT) * MEGABYTE) end(pid);
  }
}, EVERY_MS);

/** Available on Linux only. */
function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, MEMORY_SIGNAL);
  } catch {
    // The process has ended.
  }
}
