import type { Collected, Unit } from '../collected';
import type { Figures } from '../evaluation-result';
import { codeOf } from '../outcomes';
import type { EvaluationOptions } from '../plan';
import { meanOf } from '../rates';
import type { PictureSamples } from '../samples/picture-samples';
import { eachRankedSample } from '../samples/ranked-samples';
import type { SampledMeans } from '../samples/sampled-means';
import { precisionArea } from './precision-area';

const [IGNORED, FOUND] = [codeOf('ignored'), codeOf('tp')];

type Points = EvaluationOptions['vocPoints'];

/** Predictions that count, by falling confidence, with the places in this list of those that found something; and annotations to find. */
export interface RankedUnit {
  readonly predictions: Int32Array;
  readonly hits: Int32Array;
  readonly truth: Int32Array;
}

export function rankedUnit({ columns }: Collected, unit: Unit): RankedUnit {
  const predictions = unit.predictions.filter((place) => columns.outcomes[place] !== IGNORED);
  return {
    predictions,
    hits: placesWhere(predictions, (place) => columns.outcomes[place] === FOUND),
    truth: unit.truth.filter((place) => columns.truthCounts[place] === 1),
  };
}

export const placesWhere = (predictions: Int32Array, isFound: (prediction: number) => boolean): Int32Array =>
  Int32Array.from(predictions.keys()).filter((place) => isFound(predictions[place]!));

export const precisionFigure = ({ hits, truth }: RankedUnit, points: Points): Figures => ({
  AP:
    truth.length === 0
      ? null
      : precisionArea(
          hits.map((place) => place + 1),
          truth.length,
          points,
        ),
});

/** The mean over labels that have truth. */
export function meanPrecisionFigure(ofLabels: readonly Figures[]): Figures {
  return { mAP: meanOf(ofLabels.map((figures) => figures['AP'] ?? null)) };
}

export function samplePrecisions(
  { predictions, hits, truth }: RankedUnit,
  points: Points,
  samples: PictureSamples,
  means: SampledMeans,
): void {
  const ranking = {
    pictures: predictions.map((place) => samples.ofPredictions[place]!),
    truth: truth.map((place) => samples.ofTruth[place]!),
    marks: [hits.map((place) => 2 * place + 1)],
  };
  eachRankedSample(samples, ranking, (sample, ranksAt, wanted) =>
    means.add('mAP', sample, precisionArea(ranksAt(0), wanted, points)),
  );
}
