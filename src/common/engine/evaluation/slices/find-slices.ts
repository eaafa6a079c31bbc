import type { Interval } from '../statistics/resampling';
import { withoutExplained } from './explained-slices';
import type { SliceConditions } from './slice-conditions';
import { intervalsOf, type SliceFigure } from './slice-intervals';
import { SliceMembers } from './slice-members';
import { candidatesUpToTwo, discovered, isLarge, worstFirst, type Candidate } from './slice-candidates';
import { N_TRUTH, PICTURES, SliceMoments } from './slice-moments';
import type { SliceUnits } from './slice-units';
import { f1Of } from './rates-of-sums';
import { differenceFromRest, F1_MOMENTS, figureOf, figureOfRest } from './worse-slices';

/** The worst pairs, which are narrowed by a third condition. */
const NARROWED_PAIRS = 100;
/** Above this chance, what is left of a slice without those before it is not worse than the rest. */
const LEFT_BELOW = 0.01;
const MOST_CANDIDATES = 400;
const MOST_FOUND = 100;
/** Of a normal number, for 95 %. */
const WIDTH = 1.96;

export interface FoundSlices {
  /** The figure of all pictures. */
  readonly figure: number;
  /** Those found to be worse than the rest, the worst first, and then the others of one condition. */
  readonly slices: readonly Slice[];
}

export interface Slice {
  /** Numbers of conditions, ascending. */
  readonly conditions: readonly number[];
  /** Whether it is worse than the rest, and than each slice that it narrows, beyond chance. */
  readonly isFound: boolean;
  readonly pictures: number;
  readonly truth: number;
  readonly figure: number;
  /** That of everything else; NaN if there is nothing else. */
  readonly rest: number;
  /** Of the difference between both; undefined without a rest. */
  readonly interval: Interval | undefined;
  readonly chance: number;
}

/** Finds where a model is worse than elsewhere. The same seed gives the same intervals. */
export function findSlices(units: SliceUnits, conditions: SliceConditions, seed: number): FoundSlices {
  const moments = new SliceMoments(units, conditions, F1_MOMENTS);
  const judge = (of: readonly number[], slice: Float64Array): Candidate => judged(moments, of, slice);
  const { singles, pairs } = candidatesUpToTwo(moments, judge);
  const narrowed = worstFirst(pairs).slice(0, NARROWED_PAIRS);
  const triples = moments
    .narrowed(narrowed.map(({ conditions: [one, other] }) => [one!, other!] as const))
    .filter((triple) => isLarge(triple.moments))
    .map((triple) => judge(triple.conditions, triple.moments));
  const found = discovered([singles, pairs, triples]);
  const members = new SliceMembers(units, conditions);
  const worst = withoutExplained(worstFirst(found).slice(0, MOST_CANDIDATES), members, {
    moments: F1_MOMENTS,
    isLeft: (left) => isLarge(left) && differenceFromRest(left, moments.all).chance <= LEFT_BELOW,
    most: MOST_FOUND,
  });
  const shown = [...worst, ...worstFirst(singles.filter((single) => !worst.includes(single)))];
  const intervals = intervalsOf(
    shown,
    (slice) => members.sumsOf(slice.conditions),
    { pictures: units.firsts.length - 1, all: members.all, seed },
    F1_DIFFERENCE,
  );
  const slices = shown.map((slice, at) =>
    presented(slice, moments.all, { isFound: at < worst.length, interval: intervals[at] }),
  );
  return { figure: figureOf(moments.all), slices };
}

const F1_DIFFERENCE: SliceFigure = (slice, all) =>
  f1Of(slice, 0) -
  f1Of(
    all.map((sum, column) => sum - slice[column]!),
    0,
  );

/** A slice is as likely by chance as the one that it is least different from: the rest, or what it narrows. */
function judged(moments: SliceMoments, conditions: readonly number[], slice: Float64Array): Candidate {
  const { difference, error, chance } = differenceFromRest(slice, moments.all);
  const wider = conditions.length < 2 ? [] : conditions.map((_, left) => conditions.filter((__, at) => at !== left));
  const chances = wider.map((each) => differenceFromRest(slice, moments.ofPair(each[0]!, each.at(-1)!)).chance);
  return { conditions, moments: slice, chance: Math.max(chance, ...chances), worseBy: difference + WIDTH * error };
}

function presented(
  { conditions, moments, chance }: Candidate,
  all: Float64Array,
  { isFound, interval }: Pick<Slice, 'isFound' | 'interval'>,
): Slice {
  return {
    conditions,
    isFound,
    pictures: moments[PICTURES]!,
    truth: moments[N_TRUTH]!,
    figure: figureOf(moments),
    rest: figureOfRest(moments, all),
    interval,
    chance,
  };
}
