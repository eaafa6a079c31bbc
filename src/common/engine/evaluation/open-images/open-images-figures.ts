import { placesByLabel, placesOf, type Collected, type PlacesByLabel, type Unit } from '../collected';
import { byFallingConfidence } from '../confidence-order';
import type { Figures } from '../evaluation-result';
import type { EvaluationPlan } from '../plan';
import type { PictureSamples } from '../samples/picture-samples';
import type { SampledMeans } from '../samples/sampled-means';
import {
  meanPrecisionFigure,
  placesWhere,
  precisionFigure,
  rankedUnit,
  samplePrecisions,
  type RankedUnit,
} from '../voc/voc-figures';
import { LabelHierarchy } from './label-hierarchy';
import { BITS_OF_NAME, IS_RIGHT, IS_WRONG } from './open-images-matcher';

/** Average precisions of labels with those below them. */
export class OpenImagesFigures {
  private readonly hierarchy: LabelHierarchy;
  private byOwnLabel: PlacesByLabel | undefined;

  constructor({ options }: EvaluationPlan) {
    this.hierarchy = new LabelHierarchy(options.classAgnostic ? [] : (options.hierarchy ?? []));
  }

  ofUnit(collected: Collected, unit: Unit): Figures {
    return precisionFigure(this.rankedUnit(collected, unit), 'all');
  }

  /** With labels that only stand for others. */
  overall(ofUnits: readonly Figures[], collected: Collected): Figures {
    const others = this.otherNames(collected).map((name) => precisionFigure(this.ofName(collected, name), 'all'));
    return meanPrecisionFigure([...ofUnits, ...others]);
  }

  sample(collected: Collected, unit: Unit, samples: PictureSamples, means: SampledMeans): void {
    samplePrecisions(this.rankedUnit(collected, unit), 'all', samples, means);
  }

  /** Of what `sample` has of no unit. */
  sampleOverall(collected: Collected, samples: PictureSamples, means: SampledMeans): void {
    for (const name of this.otherNames(collected))
      samplePrecisions(this.ofName(collected, name), 'all', samples, means);
  }

  /** Names that only stand for others. */
  private otherNames({ labels }: Collected): string[] {
    const known = new Set(labels);
    return [...this.hierarchy.parentLabels].filter((label) => !known.has(label));
  }

  private rankedUnit(collected: Collected, unit: Unit): RankedUnit {
    return this.hierarchy.isEmpty || unit.label === undefined
      ? rankedUnit(collected, unit)
      : this.ofName(collected, collected.labels[unit.label]!);
  }

  private ofName(collected: Collected, name: string): RankedUnit {
    const { columns, labels, truthByLabel, predictionBits } = collected;
    const predictionsByLabel = (this.byOwnLabel ??= placesByLabel(columns.predictionLabels, labels.length));
    const [truth, counting]: [number[], number[]] = [[], []];
    for (const [label, text] of labels.entries()) {
      const at = this.hierarchy.namesOf(text).indexOf(name);
      if (at < 0) continue;
      for (const place of placesOf(truthByLabel, label)) if (columns.truthCounts[place] === 1) truth.push(place);
      const mask = (IS_RIGHT | IS_WRONG) << (BITS_OF_NAME * at);
      for (const place of placesOf(predictionsByLabel, label))
        if ((predictionBits[place]! & mask) !== 0) counting.push(place);
    }
    const predictions = byFallingConfidence(Int32Array.from(counting).sort(), columns.confidences);
    const hits = placesWhere(predictions, (place) => this.isRight(collected, place, name));
    return { predictions, hits, truth: Int32Array.from(truth) };
  }

  private isRight({ columns, labels, predictionBits }: Collected, place: number, name: string): boolean {
    const at = this.hierarchy.namesOf(labels[columns.predictionLabels[place]!]!).indexOf(name);
    return ((predictionBits[place]! >> (BITS_OF_NAME * at)) & IS_RIGHT) !== 0;
  }
}
