import { parentPort } from 'node:worker_threads';
import type { CrewJob } from './crew-job';
import { runCrewJob } from './run-crew-job';

// A job that throws ends the thread, and its error reaches the crew.
parentPort!.on('message', (job: CrewJob) => {
  void runCrewJob(job).then(() => parentPort!.postMessage('done'));
});
