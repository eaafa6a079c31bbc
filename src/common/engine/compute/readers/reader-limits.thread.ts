import { workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL, TIME_SIGNAL, type ReaderLimits } from './reader-messages';

const EVERY_MS = 50;

export interface WatchedReader extends ReaderLimits {
  readonly parent: number;
  /** Shared with the reader: the number of chunks taken from a stream. */
  readonly chunks: Int32Array;
}

const { memoryBytes, seconds, parent, chunks } = workerData as WatchedReader;
let started = process.cpuUsage();
let taken = 0;

// Signals without a handler end the process even if a file blocks its main thread.
setInterval(() => {
  if (Atomics.load(chunks, 0) !== taken) {
    taken = Atomics.load(chunks, 0);
    started = process.cpuUsage();
  }
  const { user, system } = process.cpuUsage(started);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  else if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, MEMORY_SIGNAL);
  else if (user + system > seconds * 1e6) process.kill(process.pid, TIME_SIGNAL);
}, EVERY_MS);
