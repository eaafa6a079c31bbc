import { parentPort } from 'node:worker_threads';
import { onRequest } from '../../../platform/concurrency/thread-end';
import type { PoolJob } from './pool-job';
import { runPoolJob } from './run-pool-job';

// A job that throws ends the thread, and its error reaches the pool.
onRequest((job: PoolJob) => {
  void runPoolJob(job).then(() => parentPort!.postMessage('done'));
});
