import { placesByLabel, placesOf, type Collected, type PlacesByLabel, type Unit } from '../collected';
import { byFallingConfidence } from '../confidence-order';
import type { Figures } from '../evaluation-result';
import type { EvaluationPlan } from '../plan';
import { meanPrecisionFigure, precisionFigure, vocFiguresOf } from '../voc/voc-figures';
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
    if (this.hierarchy.isEmpty || unit.label === undefined) return vocFiguresOf(collected, unit, 'all');
    return this.ofName(collected, collected.labels[unit.label]!);
  }

  /** With labels that only stand for others. */
  overall(ofUnits: readonly Figures[], collected: Collected): Figures {
    const known = new Set(collected.labels);
    const others = [...this.hierarchy.parentLabels].filter((label) => !known.has(label));
    return meanPrecisionFigure([...ofUnits, ...others.map((label) => this.ofName(collected, label))]);
  }

  private ofName(collected: Collected, name: string): Figures {
    const { columns, labels, truthByLabel, predictionBits } = collected;
    const predictionsByLabel = (this.byOwnLabel ??= placesByLabel(columns.predictionLabels, labels.length));
    let truth = 0;
    const counting: number[] = [];
    for (const [label, text] of labels.entries()) {
      const at = this.hierarchy.namesOf(text).indexOf(name);
      if (at < 0) continue;
      for (const place of placesOf(truthByLabel, label)) truth += columns.truthCounts[place]!;
      const mask = (IS_RIGHT | IS_WRONG) << (BITS_OF_NAME * at);
      for (const place of placesOf(predictionsByLabel, label))
        if ((predictionBits[place]! & mask) !== 0) counting.push(place);
    }
    const order = byFallingConfidence(Int32Array.from(counting).sort(), columns.confidences);
    const found = Uint8Array.from(order, (place) => this.isRight(collected, place, name));
    return precisionFigure(found, truth, 'all');
  }

  private isRight({ columns, labels, predictionBits }: Collected, place: number, name: string): 0 | 1 {
    const at = this.hierarchy.namesOf(labels[columns.predictionLabels[place]!]!).indexOf(name);
    return ((predictionBits[place]! >> (BITS_OF_NAME * at)) & IS_RIGHT) !== 0 ? 1 : 0;
  }
}
