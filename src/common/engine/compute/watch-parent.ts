import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';

/** Has our process group killed once the parent is gone, whatever our own thread hangs in by then. */
export function watchParent(): void {
  const { file, execArgv } = childEntry(__dirname, 'parent-watch.thread');
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  new Worker(file, { execArgv, workerData: process.ppid, resourceLimits }).unref();
}
