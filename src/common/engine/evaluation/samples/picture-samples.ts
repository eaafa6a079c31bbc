import { ownersOf } from '../../arithmetic/shared-arrays';
import { SAMPLES, timesInSamples } from '../statistics/resampling';
import type { OutcomeColumns } from '../outcomes';

/** Samples of the pictures of an evaluation, to tell how far its figures may be from those of other pictures of the kind. */
export interface PictureSamples {
  readonly pictures: number;
  /** As `timesInSamples`. */
  readonly times: Uint8Array;
  /** The picture of each annotation of the truth, and of each prediction. */
  readonly ofTruth: Int32Array;
  readonly ofPredictions: Int32Array;
}

/** Samples of fewer pictures are too much alike. */
const LEAST_PICTURES = 10;

/** Undefined if there are too few pictures. */
export function pictureSamples({ ids, truthFirsts, predictionFirsts }: OutcomeColumns): PictureSamples | undefined {
  const pictures = truthFirsts.length - 1;
  if (pictures < LEAST_PICTURES) return undefined;
  return {
    pictures,
    times: timesInSamples(ids),
    ofTruth: ownersOf(truthFirsts),
    ofPredictions: ownersOf(predictionFirsts),
  };
}

export function eachSample(
  { pictures, times }: PictureSamples,
  visit: (times: Uint8Array, sample: number) => void,
): void {
  for (let sample = 0; sample < SAMPLES; sample++)
    visit(times.subarray(sample * pictures, (sample + 1) * pictures), sample);
}

export function timesOf(pictures: Int32Array, times: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < pictures.length; at++) sum += times[pictures[at]!]!;
  return sum;
}
