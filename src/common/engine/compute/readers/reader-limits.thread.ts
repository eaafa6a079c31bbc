import { workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL, TIME_SIGNAL, type ReaderLimits } from './reader-messages';

const EVERY_MS = 50;

const { memoryBytes, seconds, parent } = workerData as ReaderLimits & { readonly parent: number };
const started = process.cpuUsage();

// The main thread may be deep in a file: signals without a handler end the process whatever it is at.
setInterval(() => {
  const { user, system } = process.cpuUsage(started);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  else if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, MEMORY_SIGNAL);
  else if (user + system > seconds * 1e6) process.kill(process.pid, TIME_SIGNAL);
}, EVERY_MS);
