import { ID_WORDS } from '../../src/common/engine/annotations/segment';
import { codeOf, NONE, PREDICTION_OUTCOMES, type Outcomes } from '../../src/common/engine/evaluation/outcomes';
import { Random } from '../../test/support/random';

export interface Scale {
  /** The ids of the pictures, as files of outcomes have them. */
  readonly ids: Uint32Array;
  readonly truth: number;
  readonly predictions: number;
  readonly labels: number;
  /** Others have other outcomes of the same truth. */
  readonly seed: number;
}

/** The first of what each picture has, if all have the same number up to one. */
const firstsOf = (pictures: number, all: number): Int32Array =>
  Int32Array.from({ length: pictures + 1 }, (_, picture) => Math.floor((all * picture) / pictures));

/** Outcomes as a detector has them that finds most annotations and has many boxes of low confidence. */
export function madeOutcomes({ ids, truth, predictions, labels, seed }: Scale): Outcomes {
  const [random, ofTruth] = [new Random(seed), new Random(0)];
  const pictures = ids.length / ID_WORDS;
  const [truthFirsts, predictionFirsts] = [firstsOf(pictures, truth), firstsOf(pictures, predictions)];
  const numbers = (length: number, from: Random): Int32Array => Int32Array.from({ length }, () => from.integer(labels));
  const columns = {
    ids,
    truthFirsts,
    truthLabels: numbers(truth, ofTruth),
    truthAreas: new Float32Array(truth).fill(1024),
    truthCounts: new Uint8Array(truth).fill(1),
    truthPartners: new Int32Array(truth).fill(NONE),
    truthClaims: new Int32Array(truth).fill(NONE),
    truthKeys: Uint32Array.from({ length: truth }, (_, at) => at),
    predictionFirsts,
    predictionLabels: numbers(predictions, random),
    predictionAreas: new Float32Array(predictions).fill(1024),
    confidences: Float64Array.from({ length: predictions }, () => random.next() ** 2),
    outcomes: new Uint8Array(predictions),
    partners: new Int32Array(predictions).fill(NONE),
    ious: Float32Array.from({ length: predictions }, () => random.next()),
    predictionKeys: Uint32Array.from({ length: predictions }, (_, at) => at),
  };
  for (let picture = 0; picture < pictures; picture++) {
    let next = predictionFirsts[picture]!;
    const end = predictionFirsts[picture + 1]!;
    for (let at = truthFirsts[picture]!; at < truthFirsts[picture + 1]! && next < end; at++) {
      const outcome = random.next() < 0.8 ? 'tp' : 'wrong_class';
      columns.outcomes[next] = codeOf(outcome);
      columns.partners[next] = at;
      if (outcome === 'tp') columns.predictionLabels[next] = columns.truthLabels[at]!;
      (outcome === 'tp' ? columns.truthPartners : columns.truthClaims)[at] = next++;
    }
    for (; next < end; next++) columns.outcomes[next] = 3 + random.integer(PREDICTION_OUTCOMES.length - 3);
  }
  const names = Array.from({ length: labels }, (_, label) => `label ${String(label).padStart(3, '0')}`);
  return { columns, labels: names };
}
