import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-entry';

/** Kills this process group when the parent has gone, even if the main thread is blocked. */
export function watchParent(): void {
  const { file, execArgv } = childEntry(__dirname, 'parent-watch.thread');
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  new Worker(file, { execArgv, workerData: process.ppid, resourceLimits }).unref();
}
