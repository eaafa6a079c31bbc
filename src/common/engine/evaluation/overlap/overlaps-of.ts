import type { EvaluationPlan } from '../plan';
import { BoxOverlaps } from './box-overlaps';
import { KeypointOverlaps } from './keypoint-overlaps';
import type { Overlaps } from './overlaps';
import { RunOverlaps } from './run-overlaps';

/** Of a task with shapes. */
export function overlapsOf({ task, options }: EvaluationPlan): Overlaps<unknown> {
  if (task === 'segmentation') return new RunOverlaps();
  if (task === 'keypoints') return new KeypointOverlaps(options.sigmas);
  return new BoxOverlaps();
}
