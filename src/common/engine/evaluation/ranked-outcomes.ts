import { inSlices } from '../../platform/concurrency/in-slices';
import { labelOfPrediction } from './collected';
import { codeOf, type OutcomeColumns, type Outcomes } from './outcomes';

/** The confidences of the predictions that count, and the number of annotations to find. */
export interface CountedConfidences {
  readonly hits: Float64Array<ArrayBuffer>;
  readonly mistakes: Float64Array<ArrayBuffer>;
  readonly truth: number;
}

/** With the lowest confidence first. */
export interface RankedOutcomes {
  readonly hits: Float64Array;
  readonly mistakes: Float64Array;
  readonly truth: number;
}

const IGNORED = codeOf('ignored');
const TP = codeOf('tp');

/** Of one label (a place in `labels`) or all, in any order. A hit belongs to the label of the annotation that it found, a mistake to its own. */
export async function countedConfidences({ columns }: Outcomes, label?: number): Promise<CountedConfidences> {
  const { outcomes, confidences } = columns;
  const [hits, mistakes] = [new Confidences(), new Confidences()];
  await inSlices(outcomes.length, (start, end) => {
    for (let at = start; at < end; at++) {
      const outcome = outcomes[at]!;
      if (outcome === IGNORED || (label !== undefined && labelOfPrediction(columns, at) !== label)) continue;
      (outcome === TP ? hits : mistakes).add(confidences[at]!);
    }
  });
  return { hits: hits.values(), mistakes: mistakes.values(), truth: await countTruth(columns, label) };
}

async function countTruth({ truthCounts, truthLabels }: OutcomeColumns, label: number | undefined): Promise<number> {
  let count = 0;
  await inSlices(truthCounts.length, (start, end) => {
    for (let at = start; at < end; at++)
      if (truthCounts[at] === 1 && (label === undefined || truthLabels[at] === label)) count++;
  });
  return count;
}

/** Sorts them where they are. */
export function ranked({ hits, mistakes, truth }: CountedConfidences): RankedOutcomes {
  return { hits: hits.sort(), mistakes: mistakes.sort(), truth };
}

class Confidences {
  private kept = new Float64Array(1024);
  private length = 0;

  add(confidence: number): void {
    if (this.length === this.kept.length) {
      const longer = new Float64Array(2 * this.length);
      longer.set(this.kept);
      this.kept = longer;
    }
    this.kept[this.length++] = confidence;
  }

  values(): Float64Array<ArrayBuffer> {
    return this.kept.subarray(0, this.length);
  }
}
