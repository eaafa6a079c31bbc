import { planOf } from '../src/common/engine/evaluation/plan';
import { sampledDifference, sampledInterval } from '../src/common/engine/evaluation/statistics/sampled-interval';
import { detections } from '../test/support/detections';
import { evaluatePictures, type GivenPicture } from '../test/support/evaluate-pictures';
import type { Bench, Report } from './bench';

const SEEDS = Number(process.env['SEEDS'] ?? 200);
const PICTURES = 100;
const [LABELS, TRUTH_OF_PICTURE, DETECTIONS] = [3, 6, 12];
const [LEAST, MOST] = [0.9, 0.98];
const PLAN = planOf('detection', 'coco');

function picturesFrom(first: number, end: number): GivenPicture[] {
  const pictures = SEEDS * PICTURES;
  const sizes = { pictures, truth: pictures * TRUTH_OF_PICTURE, labels: LABELS, detections: DETECTIONS };
  const { truth, predictions } = detections(sizes, first, end);
  return truth.map((own, at) => ({ truth: own, predictions: predictions[at]! }));
}

/** Predictions of a model that finds one object of ten less. */
const ofWorse = (pictures: readonly GivenPicture[]): GivenPicture[] =>
  pictures.map(({ truth, predictions }, at) => ({
    truth,
    predictions: predictions.filter((_, place) => (31 * at + 17 * place) % 10 !== 0),
  }));

function measure(report: Report): void {
  const of = (pictures: readonly GivenPicture[]) => evaluatePictures(PLAN, pictures);
  const all = picturesFrom(0, SEEDS * PICTURES);
  const [right, rightOfWorse] = [of(all).metrics, of(ofWorse(all)).metrics];
  const seeds = Array.from({ length: SEEDS }, (_, seed) => {
    const pictures = all.slice(seed * PICTURES, (seed + 1) * PICTURES);
    return { own: of(pictures), worse: of(ofWorse(pictures)) };
  });
  for (const name of ['AP', 'AP50', 'AR100']) {
    const covered = seeds.filter(({ own }) =>
      isWithin(right[name]!, sampledInterval(own.metrics[name]!, own.samples[name]!)!),
    );
    const share = covered.length / SEEDS;
    report.figure(`intervals of ${name} that hold that of all pictures`, 100 * share, '%', '90 to 98', isGood(share));
    const pairs = seeds.filter(({ own, worse }) => {
      const difference = worse.metrics[name]! - own.metrics[name]!;
      const interval = sampledInterval(difference, sampledDifference(own.samples[name]!, worse.samples[name]!))!;
      return isWithin(rightOfWorse[name]! - right[name]!, interval);
    });
    const ofPairs = pairs.length / SEEDS;
    report.figure(`intervals of differences of ${name} that do`, 100 * ofPairs, '%', '>=90', ofPairs >= LEAST);
  }
}

const isGood = (share: number): boolean => share >= LEAST && share <= MOST;

const isWithin = (value: number, [low, high]: readonly [number, number]): boolean => low <= value && value <= high;

export const bench: Bench = {
  name: 'evaluation-intervals',
  summary: 'how often intervals of figures of 100 pictures hold those of many (`SEEDS=20` for fewer)',
  run(report) {
    measure(report);
    return Promise.resolve();
  },
};
