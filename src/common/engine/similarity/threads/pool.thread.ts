import { parentPort } from 'node:worker_threads';
import type { PoolJob } from './pool-job';
import { runPoolJob } from './run-pool-job';

// A job that throws ends the thread, and its error reaches the pool.
parentPort!.on('message', (job: PoolJob) => {
  void runPoolJob(job).then(() => parentPort!.postMessage('done'));
});
