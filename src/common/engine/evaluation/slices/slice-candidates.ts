import { discoveries } from '../statistics/false-discovery';
import { PICTURES, type SliceMoments } from './slice-moments';

/** A slice with fewer pictures is not judged. */
const LEAST_PICTURES = 10;
/** The expected share of false findings among all. */
const FALSE_SHARE = 0.05;

export interface Candidate {
  /** Numbers of conditions, ascending. */
  readonly conditions: readonly number[];
  readonly moments: Float64Array;
  /** The chance that it is as bad as this without a reason. */
  readonly chance: number;
  /** The upper end of the interval of the difference: the slice is worse by this at least. */
  readonly worseBy: number;
}

export const isLarge = (moments: Float64Array): boolean => moments[PICTURES]! >= LEAST_PICTURES;

type Judge = (conditions: readonly number[], moments: Float64Array) => Candidate;

/** Every slice of one condition that has pictures, and every large one of two. */
export function candidatesUpToTwo(moments: SliceMoments, judge: Judge): { singles: Candidate[]; pairs: Candidate[] } {
  const singles: Candidate[] = [];
  const pairs: Candidate[] = [];
  for (let one = 0; one < moments.conditions; one++) {
    const single = moments.ofPair(one, one);
    if (single[PICTURES] === 0) continue;
    singles.push(judge([one], single));
    for (let other = one + 1; other < moments.conditions; other++) {
      const pair = moments.ofPair(one, other);
      if (isLarge(pair)) pairs.push(judge([one, other], pair));
    }
  }
  return { singles, pairs };
}

/** Those that are findings. Slices of each number of conditions are tested apart, so that few simple ones are not lost among many others. */
export const discovered = (byConditions: readonly (readonly Candidate[])[]): Candidate[] =>
  byConditions.flatMap((candidates) => {
    const tested = candidates.filter(({ moments }) => isLarge(moments));
    const isFound = discoveries(
      tested.map(({ chance }) => chance),
      FALSE_SHARE / byConditions.length,
    );
    return tested.filter((_, at) => isFound[at] === 1);
  });

export const worstFirst = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.toSorted((a, b) => a.worseBy - b.worseBy);
