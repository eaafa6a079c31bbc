import {
  bestConfidence,
  calibrationError,
  confidenceForPrecision,
  f1Curve,
  precisionRecallCurve,
  ratesAt,
  reliabilityOf,
} from './curves';
import type { RankedOutcomes } from './ranked-outcomes';
import { hashedRandom } from '../similarity/projection/hashed-random';

const ranked = (hits: readonly number[], mistakes: readonly number[], truth: number): RankedOutcomes => ({
  hits: Float64Array.from(hits).sort(),
  mistakes: Float64Array.from(mistakes).sort(),
  truth,
});

const FEW = ranked([0.9, 0.8, 0.8, 0.3], [0.85, 0.4, 0.3], 5);
const NOTHING = ranked([], [0.4, 0.2], 3);

/** Confidences with two digits, so that many are equal. */
const drawn = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.round(100 * hashedRandom(seed, at)) / 100);

describe('the curves of an evaluation', () => {
  it('count the predictions at a confidence and above', () => {
    expect(ratesAt(FEW, 0.8)).toEqual({ confidence: 0.8, precision: 3 / 4, recall: 3 / 5, f1: 6 / 9 });
    expect(ratesAt(FEW, 0.81)).toEqual({ confidence: 0.81, precision: 1 / 2, recall: 1 / 5, f1: 2 / 7 });
    expect(ratesAt(FEW, 1)).toEqual({ confidence: 1, precision: null, recall: 0, f1: 0 });
  });

  it('have no rates where there is nothing to find', () => {
    expect(ratesAt(ranked([], [], 0), 0)).toEqual({ confidence: 0, precision: null, recall: null, f1: null });
  });

  it('have one point for each confidence of a hit', () => {
    expect(precisionRecallCurve(FEW)).toEqual([0.9, 0.8, 0.3].map((confidence) => ratesAt(FEW, confidence)));
    expect(precisionRecallCurve(NOTHING)).toEqual([]);
  });

  it('have as many points as are asked for, from the first hit to the last', () => {
    const many = ranked(
      Array.from({ length: 5000 }, (_, at) => hashedRandom(7, at)),
      [],
      6000,
    );
    const points = precisionRecallCurve(many, 200);
    expect(points).toHaveLength(200);
    expect(points.map(({ recall }) => recall)).toEqual(points.map((_, at) => (25 * (at + 1)) / 6000));
    expect(points.at(-1)?.confidence).toBe(many.hits[0]);
  });

  it('have F1 at a hundred steps of confidence', () => {
    const points = f1Curve(FEW);
    expect(points).toHaveLength(101);
    expect(points[0]).toEqual({ confidence: 0, precision: 4 / 7, recall: 4 / 5, f1: 8 / 12 });
    expect(points[80]).toEqual(ratesAt(FEW, 0.8));
  });

  it('find the best confidence, and that for a precision, as trying all does', () => {
    for (let seed = 0; seed < 50; seed++) {
      const set = ranked(drawn(seed, 40), drawn(seed + 1000, 60), 50);
      const cuts = [...new Set(set.hits)].map((confidence) => ratesAt(set, confidence));
      const best = cuts.reduce((first, second) => (second.f1! >= first.f1! ? second : first));
      expect(bestConfidence(set)).toEqual(best);
      const precise = cuts.filter(({ precision }) => precision! >= 0.5).sort((a, b) => a.confidence - b.confidence);
      expect(confidenceForPrecision(set, 0.5)).toEqual(precise[0] ?? null);
    }
  });

  it('have no best confidence without hits', () => {
    expect(bestConfidence(NOTHING)).toBeNull();
    expect(confidenceForPrecision(NOTHING, 0.1)).toBeNull();
    expect(confidenceForPrecision(ranked([0.3], [0.9], 1), 0.9)).toBeNull();
  });

  it('compare the confidence with the share that is right in ten bins', () => {
    const set = ranked([1, 0.95, 0.1], [0.9, 0.12], 3);
    const bins = reliabilityOf(set);
    expect(bins.map(({ predictions }) => predictions)).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 0, 3]);
    expect(bins[1]).toEqual({ from: 0.1, to: 0.2, predictions: 2, confidence: (0.1 + 0.12) / 2, accuracy: 0.5 });
    expect(bins[9]).toMatchObject({ from: 0.9, to: 1, accuracy: 2 / 3 });
    expect(calibrationError(bins)).toBeCloseTo((2 * (0.5 - 0.11) + 3 * (0.95 - 2 / 3)) / 5, 12);
    expect(calibrationError(reliabilityOf(ranked([], [], 1)))).toBeNull();
  });
});
