import { putId } from '../../src/common/engine/annotations/segment';
import {
  annotationKey,
  codeOf,
  NONE,
  type OutcomeColumns,
  type Outcomes,
  type PredictionOutcome,
} from '../../src/common/engine/evaluation/outcomes';
import { Random } from './random';

/** Of a prediction; `truth` is a place in the list of its picture. */
export interface MadePrediction {
  readonly label: string;
  readonly confidence: number;
  readonly outcome: PredictionOutcome;
  readonly truth?: number;
  readonly iou?: number;
}

export interface MadePicture {
  readonly id: string;
  readonly truth: readonly { readonly label: string; readonly ignored?: true }[];
  readonly predictions: readonly MadePrediction[];
}

/** Annotations have the ids t0, t1 and so on, predictions p0, p1 and so on, and the version 1. */
export function outcomesOf(pictures: readonly MadePicture[]): Outcomes {
  const names = pictures.flatMap(({ truth, predictions }) => [...truth, ...predictions].map(({ label }) => label));
  const labels = [...new Set(names)].sort();
  const numberOf = new Map(labels.map((label, number) => [label, number]));
  const truth = pictures.flatMap((picture) => picture.truth);
  const predictions = pictures.flatMap((picture) => picture.predictions);
  const ids = new Uint32Array(4 * pictures.length);
  const [truthFirsts, predictionFirsts] = [[0], [0]];
  const truthPartners = truth.map(() => NONE);
  const truthClaims = truth.map(() => NONE);
  const partners: number[] = [];
  for (const [at, picture] of pictures.entries()) {
    putId(ids, at, picture.id);
    const [firstTruth, firstPrediction] = [truthFirsts[at]!, predictionFirsts[at]!];
    for (const [place, { outcome, truth: about, confidence }] of picture.predictions.entries()) {
      const [self, partner] = [firstPrediction + place, about === undefined ? NONE : firstTruth + about];
      partners.push(partner);
      if (outcome === 'tp') truthPartners[partner] = self;
      if (outcome !== 'wrong_class') continue;
      const claim = truthClaims[partner]!;
      if (claim === NONE || predictions[claim]!.confidence < confidence) truthClaims[partner] = self;
    }
    truthFirsts.push(firstTruth + picture.truth.length);
    predictionFirsts.push(firstPrediction + picture.predictions.length);
  }
  const keys = (of: 'truth' | 'predictions', letter: string): Uint32Array =>
    Uint32Array.from(
      pictures.flatMap((picture) =>
        Array.from(picture[of].keys(), (at) => annotationKey({ id: `${letter}${at}`, version: 1 })),
      ),
    );
  const columns: OutcomeColumns = {
    ids,
    truthFirsts: Int32Array.from(truthFirsts),
    truthLabels: Int32Array.from(truth, ({ label }) => numberOf.get(label)!),
    truthAreas: new Float32Array(truth.length).fill(100),
    truthCounts: Uint8Array.from(truth, ({ ignored }) => (ignored === true ? 0 : 1)),
    truthPartners: Int32Array.from(truthPartners),
    truthClaims: Int32Array.from(truthClaims),
    truthKeys: keys('truth', 't'),
    predictionFirsts: Int32Array.from(predictionFirsts),
    predictionLabels: Int32Array.from(predictions, ({ label }) => numberOf.get(label)!),
    predictionAreas: new Float32Array(predictions.length).fill(100),
    confidences: Float64Array.from(predictions, ({ confidence }) => confidence),
    outcomes: Uint8Array.from(predictions, ({ outcome }) => codeOf(outcome)),
    partners: Int32Array.from(partners),
    ious: Float32Array.from(predictions, ({ iou = 0 }) => iou),
    predictionKeys: keys('predictions', 'p'),
  };
  return { columns, labels };
}

/** Pictures with outcomes that fit each other. */
export function randomPictures(ids: readonly string[], labels: readonly string[], seed: number): MadePicture[] {
  const random = new Random(seed);
  return ids.map((id) => {
    const truth = Array.from({ length: random.integer(4) }, () => ({
      label: labels[random.integer(labels.length)]!,
      ...(random.next() < 0.1 && { ignored: true as const }),
    }));
    const found = new Set<number>();
    const predictions = Array.from({ length: random.integer(5) }, (): MadePrediction => {
      const about = random.integer(truth.length + 1);
      const [own, iou] = [truth[about], Math.round(random.next() * 100) / 100];
      const other = labels[random.integer(labels.length)]!;
      const confidence = (1 + random.integer(20)) / 20;
      if (own === undefined) return { label: other, confidence, outcome: 'background' };
      if (own.ignored === true) return { label: own.label, confidence, outcome: 'ignored', truth: about };
      const rest = { confidence, truth: about, iou };
      if (other !== own.label)
        return { ...rest, label: other, outcome: iou < 0.5 ? 'wrong_class_and_box' : 'wrong_class' };
      if (iou < 0.3) return { ...rest, label: other, outcome: 'poor_box' };
      if (found.has(about)) return { ...rest, label: other, outcome: 'double' };
      found.add(about);
      return { ...rest, label: other, outcome: 'tp' };
    });
    return { id, truth, predictions };
  });
}
