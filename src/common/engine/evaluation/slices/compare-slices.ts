import { chanceBelow } from '../statistics/normal';
import type { Interval } from '../statistics/resampling';
import { withoutExplained } from './explained-slices';
import { f1Of, precisionOf, recallOf } from './rates-of-sums';
import { candidatesUpToTwo, discovered, isLarge, worstFirst, type Candidate } from './slice-candidates';
import type { SliceConditions } from './slice-conditions';
import { intervalsOf, type Resampled, type SliceFigure } from './slice-intervals';
import { SliceMembers } from './slice-members';
import { N_TRUTH, PICTURES, SliceMoments, type Moments } from './slice-moments';
import { COLUMNS, FOUND, PREDICTIONS, TRUTH, type SliceUnits } from './slice-units';

const RATES = { precision: precisionOf, recall: recallOf, f1: f1Of } as const;
/** Above this chance, what is left of a slice without those before it is not worse. */
const LEFT_BELOW = 0.01;
const MOST_CANDIDATES = 400;
const MOST_FOUND = 100;
/** Of a normal number, for 95 %. */
const WIDTH = 1.96;

export interface Comparison {
  readonly figures: readonly ComparedFigure[];
  /** Where the second evaluation is worse than the first beyond chance, the worst first. */
  readonly regressions: readonly Regression[];
}

export interface ComparedFigure {
  readonly name: keyof typeof RATES;
  /** NaN where it is undefined. */
  readonly first: number;
  readonly second: number;
  /** Of the second less the first. */
  readonly interval: Interval | undefined;
}

export interface Regression {
  /** Numbers of conditions, ascending. */
  readonly conditions: readonly number[];
  readonly pictures: number;
  readonly truth: number;
  /** F1 of both. */
  readonly first: number;
  readonly second: number;
  readonly interval: Interval | undefined;
  readonly chance: number;
}

/** Places of the moments after those of all figures: of both F1s as quotients, and of the differences between their parts. */
const [UPPER_1, LOWER_1, UPPER_2, LOWER_2, UPPER_SQUARED, UPPER_LOWER, LOWER_SQUARED] = [2, 3, 4, 5, 6, 7, 8] as const;

const F1_PAIRS: Moments = {
  width: 9,
  of(sums, into) {
    const uppers = [2 * sums[FOUND]!, 2 * sums[COLUMNS + FOUND]!] as const;
    const lowers = [sums[TRUTH]! + sums[PREDICTIONS]!, sums[COLUMNS + TRUTH]! + sums[COLUMNS + PREDICTIONS]!] as const;
    const [upper, lower] = [uppers[1] - uppers[0], lowers[1] - lowers[0]];
    into[PICTURES] = 1;
    into[N_TRUTH] = sums[TRUTH]!;
    [into[UPPER_1], into[UPPER_2]] = uppers;
    [into[LOWER_1], into[LOWER_2]] = lowers;
    into[UPPER_SQUARED] = upper * upper;
    into[UPPER_LOWER] = upper * lower;
    into[LOWER_SQUARED] = lower * lower;
  },
};

/** Compares two evaluations of the same pictures. The same seed gives the same intervals. */
export function compareSlices(units: SliceUnits, conditions: SliceConditions, seed: number): Comparison {
  const members = new SliceMembers(units, conditions);
  const all = members.all;
  const resampled = { pictures: units.firsts.length - 1, all, seed };
  const moments = new SliceMoments(units, conditions, F1_PAIRS);
  const judge = (of: readonly number[], slice: Float64Array): Candidate => judged(moments, of, slice);
  const { singles, pairs } = candidatesUpToTwo(moments, judge);
  const found = worstFirst(discovered([singles, pairs])).slice(0, MOST_CANDIDATES);
  const worst = withoutExplained(found, members, {
    moments: F1_PAIRS,
    isLeft: (left) => isLarge(left) && judge([], left).chance <= LEFT_BELOW,
    most: MOST_FOUND,
  });
  const intervals = intervalsOf(worst, (slice) => members.sumsOf(slice.conditions), resampled, differenceOf('f1'));
  return {
    figures: comparedFigures(resampled),
    regressions: worst.map((slice, at) => presented(slice, intervals[at])),
  };
}

const differenceOf =
  (name: keyof typeof RATES): SliceFigure =>
  (slice) =>
    RATES[name](slice, COLUMNS) - RATES[name](slice, 0);

function comparedFigures(resampled: Resampled): ComparedFigure[] {
  const total = Float64Array.from(resampled.all.columns, (column) => column.reduce((sum, each) => sum + each, 0));
  return (Object.keys(RATES) as (keyof typeof RATES)[]).map((name) => ({
    name,
    first: RATES[name](total, 0),
    second: RATES[name](total, COLUMNS),
    interval: intervalsOf([resampled.all], (all) => all, resampled, differenceOf(name))[0],
  }));
}

/** By how much the second evaluation is worse than the first: the mean of each part of F1's divisor, and their squares. */
function loss(moments: Float64Array): { readonly mean: number; readonly size: number; readonly squares: number } {
  const [first, second] = [moments[LOWER_1]!, moments[LOWER_2]!];
  const figure = (moments[UPPER_1]! + moments[UPPER_2]!) / (first + second);
  const size = (first + second) / 2;
  const squares =
    moments[UPPER_SQUARED]! - 2 * figure * moments[UPPER_LOWER]! + figure * figure * moments[LOWER_SQUARED]!;
  const mean = (moments[UPPER_2]! - moments[UPPER_1]! - figure * (second - first)) / size;
  return { mean, size, squares };
}

/** A slice of two conditions is as likely by chance as if it lost no more than the slices that it narrows. */
function judged(moments: SliceMoments, conditions: readonly number[], slice: Float64Array): Candidate {
  const { mean, size, squares } = loss(slice);
  const deviation = Math.sqrt(squares) / size;
  const wider = conditions.length < 2 ? [] : conditions.map((each) => loss(moments.ofPair(each, each)));
  const chances = wider.map((all) => {
    const others = all.size - size;
    const meanOfOthers = (all.mean * all.size - mean * size) / others;
    return chanceBelow((mean - meanOfOthers) / Math.hypot(deviation, Math.sqrt(all.squares) / others));
  });
  // Differences that are all 0 have no chance, nor have those from no others.
  const chance = Math.max(
    ...[chanceBelow(mean / deviation), ...chances].map((each) => (Number.isNaN(each) ? 1 : each)),
  );
  return { conditions, moments: slice, chance, worseBy: mean + WIDTH * deviation };
}

const presented = ({ conditions, moments, chance }: Candidate, interval: Interval | undefined): Regression => ({
  conditions,
  pictures: moments[PICTURES]!,
  truth: moments[N_TRUTH]!,
  first: moments[UPPER_1]! / moments[LOWER_1]!,
  second: moments[UPPER_2]! / moments[LOWER_2]!,
  interval,
  chance,
});
