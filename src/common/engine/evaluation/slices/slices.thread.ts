import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from '../../../platform/concurrency/asked-thread';
import { onRequest } from '../../../platform/concurrency/thread-end';
import { compareSlices, type Comparison } from './compare-slices';
import { findSlices, type FoundSlices } from './find-slices';
import type { SliceConditions } from './slice-conditions';
import type { SliceUnits } from './slice-units';

export interface SliceJob {
  readonly job: number;
  readonly kind: 'find' | 'compare';
  readonly units: SliceUnits;
  readonly conditions: SliceConditions;
  readonly seed: number;
}

onRequest(({ job, kind, units, conditions, seed }: SliceJob) => {
  const answer: ThreadAnswer<FoundSlices | Comparison> = {
    job,
    answer: kind === 'find' ? findSlices(units, conditions, seed) : compareSlices(units, conditions, seed),
  };
  parentPort!.postMessage(answer);
});
