import { NONE } from '../outcomes';
import type { SliceConditions } from './slice-conditions';
import type { SliceUnits } from './slice-units';
import { eachGroup, type SliceGroup } from './slice-walk';

/** Places of moments that all figures have: how many pictures there are, and annotations of the truth. */
export const [PICTURES, N_TRUTH] = [0, 1] as const;

/** What is added up over the pictures of a slice, so that its figure and how certain it is can be told. */
export interface Moments {
  readonly width: number;
  /** Of one picture, from the sums of its columns. */
  readonly of: (sums: Float64Array, into: Float64Array) => void;
}

/** The moments of all slices of one and of two conditions. */
export class SliceMoments {
  readonly all: Float64Array;
  readonly conditions: number;
  private readonly sums: Float64Array;

  constructor(
    private readonly units: SliceUnits,
    private readonly by: SliceConditions,
    private readonly moments: Moments,
  ) {
    this.conditions = by.subjects.length;
    this.all = new Float64Array(moments.width);
    this.sums = new Float64Array(this.conditions ** 2 * moments.width);
    const own = new Float64Array(moments.width);
    eachGroup(units, by, (group) => {
      moments.of(group.sums, own);
      if (group.own === 0) add(this.all, 0, own);
      if (group.own < 2) this.addSingles(group, own);
      this.addPairs(group, own);
    });
  }

  /** Twice the same for the slice of one condition. */
  ofPair(one: number, other: number): Float64Array {
    return partOf(this.sums, this.placeOf(one, other), this.moments.width);
  }

  /** The slices of three conditions that narrow one of the pairs. */
  narrowed(pairs: readonly (readonly [number, number])[]): { conditions: number[]; moments: Float64Array }[] {
    const { moments, by, conditions } = this;
    const numbers = new Int32Array(conditions ** 2).fill(NONE);
    pairs.forEach(([one, other], nth) => (numbers[this.placeOf(one, other)] = nth));
    const sums = new Float64Array(pairs.length * conditions * moments.width);
    const own = new Float64Array(moments.width);
    const addThird = (pair: number, third: number): void => {
      const [one, other] = pairs[pair]!;
      if (this.mayJoin(third, one, other)) add(sums, pair * conditions + third, own);
    };
    const numberOf = (one: number, other: number): number => numbers[this.placeOf(one, other)]!;
    /** Of the conditions of a picture, whose first group is that of all its objects. */
    let ofPicture: number[] = [];
    eachGroup(this.units, by, (group) => {
      moments.of(group.sums, own);
      if (group.own === 0) ofPicture = pairsAmong(group, numberOf);
      addNarrowed(group, ofPicture, numberOf, addThird);
    });
    return withoutDoubles(pairs, conditions).map(({ place, slice }) => ({
      conditions: slice,
      moments: partOf(sums, place, moments.width),
    }));
  }

  private addSingles(group: SliceGroup, own: Float64Array): void {
    const end = group.own === 0 ? group.count : 1;
    for (let at = 0; at < end; at++) {
      const condition = group.conditions[at]!;
      add(this.sums, this.placeOf(condition, condition), own);
    }
  }

  /** Pairs with all conditions that make the group what it is. */
  private addPairs({ conditions, own: needed, count }: SliceGroup, own: Float64Array): void {
    const { subjects } = this.by;
    const firsts = needed === 0 ? count : 1;
    for (let at = 0; at < firsts; at++) {
      const [one, end] = [conditions[at]!, needed === 2 ? 2 : count];
      for (let next = at + 1; next < end; next++) {
        const other = conditions[next]!;
        if (subjects[one] !== subjects[other]) add(this.sums, this.placeOf(one, other), own);
      }
    }
  }

  private mayJoin(third: number, one: number, other: number): boolean {
    const { subjects } = this.by;
    return subjects[third] !== subjects[one] && subjects[third] !== subjects[other];
  }

  private placeOf(one: number, other: number): number {
    return one < other ? one * this.conditions + other : other * this.conditions + one;
  }
}

type NumberOfPair = (one: number, other: number) => number;

/** The numbers of the pairs that a picture fulfils. */
function pairsAmong({ conditions, count }: SliceGroup, numberOf: NumberOfPair): number[] {
  const found: number[] = [];
  for (let at = 0; at < count; at++)
    for (let next = at + 1; next < count; next++) {
      const pair = numberOf(conditions[at]!, conditions[next]!);
      if (pair !== NONE) found.push(pair);
    }
  return found;
}

/** Each pair of the group with each third condition, so that all conditions that make the group what it is are among the three. */
function addNarrowed(
  { conditions, own, count }: SliceGroup,
  ofPicture: readonly number[],
  numberOf: NumberOfPair,
  addThird: (pair: number, third: number) => void,
): void {
  if (own < 2)
    for (const pair of ofPicture)
      for (let third = 0; third < (own === 0 ? count : 1); third++) addThird(pair, conditions[third]!);
  for (let first = 0; first < own; first++)
    for (let next = first + 1; next < count; next++) {
      const pair = numberOf(conditions[first]!, conditions[next]!);
      if (pair === NONE) continue;
      const isWhole = own === 1 || next < own;
      if (isWhole) for (let third = own; third < count; third++) addThird(pair, conditions[third]!);
      else addThird(pair, conditions[1 - first]!);
    }
}

function add(sums: Float64Array, place: number, own: Float64Array): void {
  const start = place * own.length;
  for (let at = 0; at < own.length; at++) sums[start + at]! += own[at]!;
}

const partOf = (sums: Float64Array, place: number, width: number): Float64Array =>
  sums.subarray(place * width, (place + 1) * width);

/** Each slice of three conditions once, although it narrows up to three pairs. */
function withoutDoubles(
  pairs: readonly (readonly [number, number])[],
  conditions: number,
): { place: number; slice: number[] }[] {
  const seen = new Set<number>();
  return pairs.flatMap(([one, other], pair) =>
    Array.from({ length: conditions }, (_, third) => [one, other, third].sort((a, b) => a - b)).flatMap(
      (slice, third) => {
        const key = (slice[0]! * conditions + slice[1]!) * conditions + slice[2]!;
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ place: pair * conditions + third, slice }];
      },
    ),
  );
}
