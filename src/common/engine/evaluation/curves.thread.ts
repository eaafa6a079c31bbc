import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from '../../platform/concurrency/asked-thread';
import { onRequest } from '../../platform/concurrency/thread-end';
import { curvesOf, type Curves } from './curves';
import type { CountedConfidences } from './ranked-outcomes';

export interface CurvesJob {
  readonly job: number;
  readonly counted: CountedConfidences;
  readonly precision: number | undefined;
}

onRequest(({ job, counted, precision }: CurvesJob) => {
  const answer: ThreadAnswer<Curves> = { job, answer: curvesOf(counted, precision) };
  parentPort!.postMessage(answer);
});
