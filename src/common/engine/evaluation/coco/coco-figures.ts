import type { Collected, Unit } from '../collected';
import type { Figures } from '../evaluation-result';
import type { EvaluationPlan } from '../plan';
import { meanPrecision } from '../average-precision';
import type { PictureSamples } from '../samples/picture-samples';
import { eachRankedSample, type Ranking } from '../samples/ranked-samples';
import type { SampledMeans } from '../samples/sampled-means';
import {
  AFTER_FIRST,
  AFTER_TENTH,
  ALL_BITS,
  areasOf,
  IGNORED_ALWAYS,
  IGNORED_FROM,
  THRESHOLDS,
  type AreaRange,
} from './coco-measures';

/** Nothing to measure. */
const NOTHING = -1;
const [AT_50, AT_75] = [0, 5];
const SUFFIXES = { all: '', small: 's', medium: 'm', large: 'l' } as const;

/** Of predictions at a threshold. */
interface Found {
  /** Of each that found something: its place among those that count, from 1. */
  readonly ranks: number[];
  /** Not at all thresholds. */
  ignored: number;
  /** That found something, and are the first or among the first ten of their label and picture. */
  first: number;
  tenFirst: number;
}

/** COCO's figures of average precision and recall. */
export class CocoFigures {
  private readonly areas: readonly AreaRange[];

  constructor(private readonly plan: EvaluationPlan) {
    this.areas = areasOf(plan);
  }

  get words(): number {
    return this.areas.length;
  }

  ofUnit(collected: Collected, unit: Unit): Figures {
    const figures: Record<string, number> = {};
    const found = this.foundIn(collected, unit);
    for (const [at, { name }] of this.areas.entries()) {
      const suffix = SUFFIXES[name];
      const truth = unit.truth.reduce((sum, place) => sum + ((collected.truthBits[place]! >> at) & 1), 0);
      const precisions = found[at]!.map(({ ranks }) => (truth === 0 ? NOTHING : meanPrecision(ranks, truth)));
      const recalls = found[at]!.map(({ ranks }) => (truth === 0 ? NOTHING : ranks.length / truth));
      figures[`AP${suffix}`] = mean(precisions);
      if (at > 0) {
        figures[`AR${suffix}`] = mean(recalls);
        continue;
      }
      [figures['AP50'], figures['AP75']] = [precisions[AT_50]!, precisions[AT_75]!];
      if (this.plan.task === 'keypoints') {
        [figures['AR'], figures['AR50'], figures['AR75']] = [mean(recalls), recalls[AT_50]!, recalls[AT_75]!];
        continue;
      }
      figures['AR1'] = mean(found[at]!.map(({ first }) => (truth === 0 ? NOTHING : first / truth)));
      figures['AR10'] = mean(found[at]!.map(({ tenFirst }) => (truth === 0 ? NOTHING : tenFirst / truth)));
      figures['AR100'] = mean(recalls);
    }
    return figures;
  }

  /** The means of those labels that have something to measure. */
  overall(ofUnits: readonly Figures[]): Figures {
    const names =
      this.plan.task === 'keypoints'
        ? ['AP', 'AP50', 'AP75', 'APm', 'APl', 'AR', 'AR50', 'AR75', 'ARm', 'ARl']
        : ['AP', 'AP50', 'AP75', 'APs', 'APm', 'APl', 'AR1', 'AR10', 'AR100', 'ARs', 'ARm', 'ARl'];
    return Object.fromEntries(
      names.map((name) => [name, mean(ofUnits.map((figures) => figures[name]!).filter((value) => value > NOTHING))]),
    );
  }

  /** Of all areas. */
  sample(collected: Collected, unit: Unit, samples: PictureSamples, means: SampledMeans): void {
    const recall = this.plan.task === 'keypoints' ? 'AR' : 'AR100';
    eachRankedSample(samples, this.rankingOf(collected, unit, samples), (sample, ranksAt, truth) => {
      let [precisions, recalls] = [0, 0];
      for (let at = 0; at < THRESHOLDS.length; at++) {
        const ranks = ranksAt(at);
        const precision = meanPrecision(ranks, truth);
        precisions += precision;
        recalls += ranks.length / truth;
        if (at === AT_50) means.add('AP50', sample, precision);
        if (at === AT_75) means.add('AP75', sample, precision);
      }
      means.add('AP', sample, precisions / THRESHOLDS.length);
      means.add(recall, sample, recalls / THRESHOLDS.length);
    });
  }

  private rankingOf({ predictionBits, truthBits }: Collected, unit: Unit, samples: PictureSamples): Ranking {
    const wordOf = (place: number): number => predictionBits[place * this.words]! & ALL_BITS;
    const predictions = unit.predictions.filter((place) => wordOf(place) !== IGNORED_ALWAYS);
    const marks = THRESHOLDS.map((): number[] => []);
    for (const [at, place] of predictions.entries()) {
      const word = wordOf(place);
      if (word === 0) continue;
      for (let bit = 0; bit < THRESHOLDS.length; bit++) {
        if (((word >> (IGNORED_FROM + bit)) & 1) === 1) marks[bit]!.push(2 * at);
        if (((word >> bit) & 1) === 1) marks[bit]!.push(2 * at + 1);
      }
    }
    return {
      pictures: predictions.map((place) => samples.ofPredictions[place]!),
      truth: unit.truth.filter((place) => (truthBits[place]! & 1) === 1).map((place) => samples.ofTruth[place]!),
      marks: marks.map((each) => Int32Array.from(each)),
    };
  }

  /** By area and threshold. */
  private foundIn({ predictionBits }: Collected, { predictions }: Unit): Found[][] {
    const { words } = this;
    const found = this.areas.map(() => THRESHOLDS.map((): Found => ({ ranks: [], ignored: 0, first: 0, tenFirst: 0 })));
    const before = this.areas.map(() => 0);
    for (const place of predictions) {
      const first = predictionBits[place * words]!;
      for (let at = 0; at < words; at++) {
        const word = predictionBits[place * words + at]! & ALL_BITS;
        if (word === IGNORED_ALWAYS) continue;
        before[at]! += 1;
        if (word === 0) continue;
        for (let bit = 0; bit < THRESHOLDS.length; bit++) {
          const own = found[at]![bit]!;
          if (((word >> (IGNORED_FROM + bit)) & 1) === 1) own.ignored += 1;
          if (((word >> bit) & 1) === 0) continue;
          own.ranks.push(before[at]! - own.ignored);
          if ((first & AFTER_FIRST) === 0) own.first += 1;
          if ((first & AFTER_TENTH) === 0) own.tenFirst += 1;
        }
      }
    }
    return found;
  }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? NOTHING : values.reduce((sum, value) => sum + value, 0) / values.length;
