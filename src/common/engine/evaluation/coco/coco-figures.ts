import type { Collected, Unit } from '../collected';
import type { Figures } from '../evaluation-result';
import type { EvaluationPlan } from '../plan';
import { meanPrecision } from '../average-precision';
import { AFTER_FIRST, AFTER_TENTH, areasOf, IGNORED_FROM, THRESHOLDS, type AreaRange } from './coco-measures';

/** Nothing to measure. */
const NOTHING = -1;
const [AT_50, AT_75] = [0, 5];
const SUFFIXES = { all: '', small: 's', medium: 'm', large: 'l' } as const;

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
    for (const [at, { name }] of this.areas.entries()) {
      const suffix = SUFFIXES[name];
      const { precisions, recalls } = this.overThresholds(collected, unit, at);
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
      figures['AR1'] = mean(this.overThresholds(collected, unit, at, AFTER_FIRST).recalls);
      figures['AR10'] = mean(this.overThresholds(collected, unit, at, AFTER_TENTH).recalls);
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

  /** Of an area, without predictions that have this bit. */
  private overThresholds(
    { truthBits, predictionBits }: Collected,
    { truth, predictions }: Unit,
    at: number,
    without = 0,
  ): Record<'precisions' | 'recalls', number[]> {
    const total = truth.reduce((sum, place) => sum + ((truthBits[place]! >> at) & 1), 0);
    const [precisions, recalls]: [number[], number[]] = [[], []];
    const { words } = this;
    const found = new Uint8Array(predictions.length);
    for (let bit = 0; bit < THRESHOLDS.length; bit++) {
      let [size, sum] = [0, 0];
      for (const place of predictions) {
        const word = predictionBits[place * words + at]!;
        if (((word >> (IGNORED_FROM + bit)) & 1) === 1 || (predictionBits[place * words]! & without) !== 0) continue;
        sum += found[size++] = (word >> bit) & 1;
      }
      precisions.push(total === 0 ? NOTHING : meanPrecision(found.subarray(0, size), total));
      recalls.push(total === 0 ? NOTHING : sum / total);
    }
    return { precisions, recalls };
  }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? NOTHING : values.reduce((sum, value) => sum + value, 0) / values.length;
