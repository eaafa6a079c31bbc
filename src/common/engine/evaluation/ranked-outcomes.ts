import { inSlices } from '../../platform/concurrency/in-slices';
import { labelOfPrediction } from './collected';
import { codeOf, type OutcomeColumns, type Outcomes } from './outcomes';

/** The confidences of the predictions that count, lowest first, and the number of annotations to find. */
export interface RankedOutcomes {
  readonly hits: Float64Array;
  readonly mistakes: Float64Array;
  readonly truth: number;
}

const IGNORED = codeOf('ignored');
const TP = codeOf('tp');
const RUN = 2 ** 17;

/** Of one label (a place in `labels`) or all. A hit belongs to the label of the annotation that it found, a mistake to its own. */
export async function rankedOutcomes({ columns }: Outcomes, label?: number): Promise<RankedOutcomes> {
  const { outcomes, confidences } = columns;
  const [hits, mistakes] = [new Confidences(), new Confidences()];
  await inSlices(outcomes.length, (start, end) => {
    for (let at = start; at < end; at++) {
      const outcome = outcomes[at]!;
      if (outcome === IGNORED || (label !== undefined && labelOfPrediction(columns, at) !== label)) continue;
      (outcome === TP ? hits : mistakes).add(confidences[at]!);
    }
  });
  const truth = await countTruth(columns, label);
  return { hits: await sorted(hits.values()), mistakes: await sorted(mistakes.values()), truth };
}

async function countTruth({ truthCounts, truthLabels }: OutcomeColumns, label: number | undefined): Promise<number> {
  let count = 0;
  await inSlices(truthCounts.length, (start, end) => {
    for (let at = start; at < end; at++)
      if (truthCounts[at] === 1 && (label === undefined || truthLabels[at] === label)) count++;
  });
  return count;
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

  values(): Float64Array {
    return this.kept.subarray(0, this.length);
  }
}

/** Merges sorted runs, because one sort of millions would hold up the event loop. */
async function sorted(values: Float64Array): Promise<Float64Array> {
  await inSlices(values.length, (start, end) => void values.subarray(start, end).sort(), RUN);
  let [from, into] = [values, values.length > RUN ? new Float64Array(values.length) : values];
  for (let run = RUN; run < values.length; run *= 2) {
    for (let start = 0; start < values.length; start += 2 * run) await mergeRuns(from, into, start, run);
    [from, into] = [into, from];
  }
  return from;
}

async function mergeRuns(from: Float64Array, into: Float64Array, start: number, run: number): Promise<void> {
  const middle = Math.min(from.length, start + run);
  const end = Math.min(from.length, middle + run);
  let [left, right] = [start, middle];
  await inSlices(end - start, (first, last) => {
    for (let at = start + first; at < start + last; at++) {
      const takesLeft = left < middle && (right === end || from[left]! <= from[right]!);
      into[at] = takesLeft ? from[left++]! : from[right++]!;
    }
  });
}
