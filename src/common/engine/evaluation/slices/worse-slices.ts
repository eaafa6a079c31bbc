import { chanceBelow } from '../statistics/normal';
import { FOUND, PREDICTIONS, TRUTH } from './slice-units';
import { N_TRUTH, PICTURES, type Moments } from './slice-moments';

/** F1 is a quotient: twice what was found by the truth and the predictions. */
const [UPPER, LOWER] = [2, 3] as const;
const [UPPER_SQUARED, UPPER_LOWER, LOWER_SQUARED] = [4, 5, 6] as const;

export const F1_MOMENTS: Moments = {
  width: 7,
  of(sums, into) {
    const upper = 2 * sums[FOUND]!;
    const lower = sums[TRUTH]! + sums[PREDICTIONS]!;
    into[PICTURES] = 1;
    into[N_TRUTH] = sums[TRUTH]!;
    into[UPPER] = upper;
    into[LOWER] = lower;
    into[UPPER_SQUARED] = upper * upper;
    into[UPPER_LOWER] = upper * lower;
    into[LOWER_SQUARED] = lower * lower;
  },
};

export const figureOf = (moments: Float64Array): number => moments[UPPER]! / moments[LOWER]!;

/** NaN if the slice is everything. */
export const figureOfRest = (slice: Float64Array, wider: Float64Array): number =>
  (wider[UPPER]! - slice[UPPER]!) / (wider[LOWER]! - slice[LOWER]!);

export interface Difference {
  readonly difference: number;
  /** The standard error of the difference. */
  readonly error: number;
  /** The chance that a slice is as much worse as this one, if slices did not differ. */
  readonly chance: number;
}

/**
 * A slice beside the rest of a wider one, as if both were tosses of coins that pictures hold together: the signed root of the likelihood ratio, whose
 * tails are true for few tosses too.
 */
export function differenceFromRest(slice: Float64Array, wider: Float64Array): Difference {
  const [lower, rest] = [slice[LOWER]!, wider[LOWER]! - slice[LOWER]!];
  if (rest === 0) return { difference: 0, error: 0, chance: 1 };
  const [figure, other, expected] = [figureOf(slice), figureOfRest(slice, wider), figureOf(wider)];
  const usual = spread(wider, expected);
  const tosses = lower / Math.max(usual, spread(slice, figure));
  const tossesOfRest = rest / usual;
  const root = Math.sqrt(2 * (tosses * surprise(figure, expected) + tossesOfRest * surprise(other, expected)));
  const difference = figure - other;
  const error = Math.sqrt(variance(figure, tosses) + variance(other, tossesOfRest));
  return { difference, error, chance: chanceBelow(difference < 0 ? -root : root) };
}

/** How many times as much pictures differ as they would if their parts were independent. Pictures that are all alike by chance are not taken for that. */
function spread(moments: Float64Array, figure: number): number {
  const squares =
    moments[UPPER_SQUARED]! - 2 * figure * moments[UPPER_LOWER]! + figure * figure * moments[LOWER_SQUARED]!;
  const independent = figure * (1 - figure) * moments[LOWER]!;
  return independent > 0 ? Math.max(1, squares / independent) : 1;
}

/** By which a share is less likely than the expected one, as the logarithm for one toss. */
function surprise(share: number, expected: number): number {
  const part = (of: number, from: number): number => (of === 0 ? 0 : of * Math.log(of / from));
  return Math.max(0, part(share, expected) + part(1 - share, 1 - expected));
}

/** Two tosses of each side are added, because a share of few tosses that is 0 or 1 is not certain. */
function variance(share: number, tosses: number): number {
  const likely = (share * tosses + 2) / (tosses + 4);
  return (likely * (1 - likely)) / (tosses + 4);
}
