import { ranked as rankedOf, type CountedConfidences, type RankedOutcomes } from './ranked-outcomes';
import { ratesOf, type Rates } from './rates';

/** What is right if only predictions with this confidence or a higher one count. */
export interface CutRates extends Rates {
  readonly confidence: number;
}

export interface ReliabilityBin {
  readonly from: number;
  /** Excluded, but for the last bin. */
  readonly to: number;
  readonly predictions: number;
  /** The mean of the predictions, and the share of them that is right; null without predictions. */
  readonly confidence: number | null;
  readonly accuracy: number | null;
}

export interface Curves {
  readonly precisionRecall: readonly CutRates[];
  readonly f1: readonly CutRates[];
  readonly reliability: readonly ReliabilityBin[];
  readonly best: CutRates | null;
  /** Undefined if no precision was asked for. */
  readonly forPrecision: CutRates | null | undefined;
}

const MOST_POINTS = 200;
const F1_CUTS = 100;
const BINS = 10;

export function curvesOf(counted: CountedConfidences, precision: number | undefined): Curves {
  const ranked = rankedOf(counted);
  return {
    precisionRecall: precisionRecallCurve(ranked),
    f1: f1Curve(ranked),
    reliability: reliabilityOf(ranked),
    best: bestConfidence(ranked),
    forPrecision: precision === undefined ? undefined : confidenceForPrecision(ranked, precision),
  };
}

export function ratesAt(ranked: RankedOutcomes, confidence: number): CutRates {
  const [hits, mistakes] = [countFrom(ranked.hits, confidence), countFrom(ranked.mistakes, confidence)];
  return { confidence, ...ratesOf({ hits, mistakes, truth: ranked.truth }) };
}

/** In equal steps of recall, each at the confidence of a hit; the highest confidence first. */
export function precisionRecallCurve(ranked: RankedOutcomes, most = MOST_POINTS): CutRates[] {
  const { hits } = ranked;
  const points: CutRates[] = [];
  const steps = Math.min(most, hits.length);
  for (let step = 1; step <= steps; step++) {
    const confidence = hits[hits.length - Math.ceil((step * hits.length) / steps)]!;
    if (points.at(-1)?.confidence !== confidence) points.push(ratesAt(ranked, confidence));
  }
  return points;
}

/** At the confidences 0, 0.01 and so on to 1. */
export function f1Curve(ranked: RankedOutcomes): CutRates[] {
  return Array.from({ length: F1_CUTS + 1 }, (_, at) => ratesAt(ranked, at / F1_CUTS));
}

/** With the best F1, of several the highest confidence; null without hits. */
export function bestConfidence(ranked: RankedOutcomes): CutRates | null {
  let [best, confidence] = [0, NaN];
  eachHitCut(ranked, (cut, hits, mistakes) => {
    const f1 = (2 * hits) / (hits + mistakes + ranked.truth);
    if (f1 > best || (f1 === best && cut > confidence)) [best, confidence] = [f1, cut];
  });
  return best === 0 ? null : ratesAt(ranked, confidence);
}

/** That which finds most among the confidences with this precision or a better one; null if none has it. */
export function confidenceForPrecision(ranked: RankedOutcomes, precision: number): CutRates | null {
  let confidence = NaN;
  eachHitCut(ranked, (cut, hits, mistakes) => {
    if (Number.isNaN(confidence) && hits >= precision * (hits + mistakes)) confidence = cut;
  });
  return Number.isNaN(confidence) ? null : ratesAt(ranked, confidence);
}

export function reliabilityOf(ranked: RankedOutcomes): ReliabilityBin[] {
  return Array.from({ length: BINS }, (_, bin) => {
    const [from, to] = [bin / BINS, (bin + 1) / BINS];
    const hits = within(ranked.hits, from, to);
    const mistakes = within(ranked.mistakes, from, to);
    const predictions = hits.length + mistakes.length;
    if (predictions === 0) return { from, to, predictions, confidence: null, accuracy: null };
    const confidence = (sumOf(hits) + sumOf(mistakes)) / predictions;
    return { from, to, predictions, confidence, accuracy: hits.length / predictions };
  });
}

/** How far confidences are from the share that is right, on average over the predictions. */
export function calibrationError(bins: readonly ReliabilityBin[]): number | null {
  let [error, predictions] = [0, 0];
  for (const bin of bins) {
    if (bin.confidence === null || bin.accuracy === null) continue;
    error += bin.predictions * Math.abs(bin.confidence - bin.accuracy);
    predictions += bin.predictions;
  }
  return predictions === 0 ? null : error / predictions;
}

/** Calls with each different confidence of the hits, lowest first, and how many hits and mistakes count at it. */
function eachHitCut(
  { hits, mistakes }: RankedOutcomes,
  call: (confidence: number, hits: number, mistakes: number) => void,
): void {
  let below = 0;
  for (let at = 0; at < hits.length; at++) {
    const confidence = hits[at]!;
    if (at > 0 && confidence === hits[at - 1]) continue;
    while (below < mistakes.length && mistakes[below]! < confidence) below++;
    call(confidence, hits.length - at, mistakes.length - below);
  }
}

const countFrom = (sorted: Float64Array, confidence: number): number => sorted.length - firstFrom(sorted, confidence);

function within(sorted: Float64Array, from: number, to: number): Float64Array {
  return sorted.subarray(firstFrom(sorted, from), to === 1 ? sorted.length : firstFrom(sorted, to));
}

/** The first place with this value or a higher one. */
function firstFrom(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
