import type { Collected, Unit } from './collected';
import type { Figures } from './evaluation-result';
import type { PictureMatcher } from './picture-matcher';
import type { Tally } from './rates';
import type { PictureSamples } from './samples/picture-samples';
import type { SampledMeans } from './samples/sampled-means';

export type Counts = (prediction: number) => boolean;

/** What a protocol says of pictures, and of all of them together. Each thread has its own. */
export interface ProtocolRules {
  readonly matcher: PictureMatcher;
  /** Words of `predictionBits` for each prediction. */
  readonly words: number;
  /** Changes outcomes that depend on other pictures. */
  settle?(collected: Collected): void;
  /** Where figures begin if that is not chosen; undefined for the confidence with the best F1. */
  confidenceOf?(collected: Collected): number | undefined;
  /** Of a label, or of all if labels do not matter. */
  ofUnit(collected: Collected, unit: Unit): Figures;
  /** Of a label, from what reaches its confidence. */
  ofTally?(collected: Collected, tally: Tally): Figures;
  /** Of the whole, in the order in which they are shown. `counts` tells which predictions reach their confidence. */
  overall(ofUnits: readonly Figures[], collected: Collected, counts: Counts): Figures;
  /** Adds figures of a unit in samples, whose means are figures of the whole. */
  sample(collected: Collected, unit: Unit, samples: PictureSamples, means: SampledMeans): void;
  /** Adds other figures of the whole. */
  sampleOverall?(collected: Collected, counts: Counts, samples: PictureSamples, means: SampledMeans): void;
}
