import { ownersOf } from '../../arithmetic/shared-arrays';
import { NONE } from '../outcomes';
import { picturesByCondition, type SliceConditions } from './slice-conditions';
import type { SliceUnits } from './slice-units';

/** What the units of a slice add up to in each of its pictures. */
export interface SliceSums {
  readonly pictures: Int32Array;
  readonly columns: readonly Int32Array[];
}

/** The units and pictures of slices. */
export class SliceMembers {
  /** Of all units. */
  readonly all: SliceSums;
  private readonly pictures: readonly Int32Array[];
  private readonly labels: Int32Array;
  private readonly sizes: Int32Array;
  private readonly pictureOf: Int32Array;
  private readonly unitsByLabel: readonly Int32Array[];
  /** By picture: its place among those with units. */
  private readonly placeOf: Int32Array;

  constructor(
    readonly units: SliceUnits,
    by: SliceConditions,
  ) {
    this.pictures = picturesByCondition(by);
    this.labels = inverse(by.ofLabels, by.subjects.length);
    this.sizes = inverse(by.ofSizes, by.subjects.length);
    this.pictureOf = ownersOf(units.firsts);
    this.unitsByLabel = numbersByValue(units.labels, by.ofLabels.length);
    this.all = this.sumsOfUnits(Int32Array.from(units.labels.keys()));
    this.placeOf = new Int32Array(units.firsts.length - 1).fill(NONE);
    this.all.pictures.forEach((picture, place) => (this.placeOf[picture] = place));
  }

  sumsOf(conditions: readonly number[]): SliceSums {
    const { label, size, pictures } = this.partsOf(conditions);
    if (label !== undefined || size !== undefined) return this.sumsOfUnits(this.unitsOf(conditions));
    if (pictures === undefined) return this.all;
    const places = pictures.map((picture) => this.placeOf[picture]!).filter((place) => place !== NONE);
    return {
      pictures: places.map((place) => this.all.pictures[place]!),
      columns: this.all.columns.map((column) => places.map((place) => column[place]!)),
    };
  }

  /** What units add up to in each picture. */
  sumsOfUnits(members: Int32Array): SliceSums {
    const { columns } = this.units;
    const pictures = new Int32Array(members.length);
    const sums = columns.map(() => new Int32Array(members.length));
    let count = 0;
    for (let at = 0; at < members.length; at++) {
      const unit = members[at]!;
      const picture = this.pictureOf[unit]!;
      if (count === 0 || pictures[count - 1] !== picture) pictures[count++] = picture;
      for (let column = 0; column < columns.length; column++) sums[column]![count - 1]! += columns[column]![unit]!;
    }
    return { pictures: pictures.slice(0, count), columns: sums.map((each) => each.slice(0, count)) };
  }

  /** Ascending. */
  unitsOf(conditions: readonly number[]): Int32Array {
    const { label, size, pictures } = this.partsOf(conditions);
    const { firsts, sizes } = this.units;
    const ofLabel = label === undefined ? undefined : this.unitsByLabel[label]!;
    const isOfSize = (unit: number): boolean => size === undefined || sizes[unit] === size;
    if (pictures === undefined) {
      const units = ofLabel ?? Int32Array.from(sizes.keys());
      return size === undefined ? units : units.filter(isOfSize);
    }
    if (ofLabel !== undefined) {
      const isIn = new Uint8Array(firsts.length - 1);
      for (const picture of pictures) isIn[picture] = 1;
      return ofLabel.filter((unit) => isIn[this.pictureOf[unit]!] === 1 && isOfSize(unit));
    }
    const found = new Int32Array(pictures.reduce((sum, picture) => sum + firsts[picture + 1]! - firsts[picture]!, 0));
    let end = 0;
    for (const picture of pictures)
      for (let unit = firsts[picture]!; unit < firsts[picture + 1]!; unit++) if (isOfSize(unit)) found[end++] = unit;
    return found.slice(0, end);
  }

  private partsOf(conditions: readonly number[]) {
    return {
      label: conditions.map((each) => this.labels[each]!).find((each) => each !== NONE),
      size: conditions.map((each) => this.sizes[each]!).find((each) => each !== NONE),
      pictures: this.picturesOf(conditions),
    };
  }

  /** Undefined for all. */
  private picturesOf(conditions: readonly number[]): Int32Array | undefined {
    const lists = conditions
      .filter((each) => this.labels[each] === NONE && this.sizes[each] === NONE)
      .map((each) => this.pictures[each]!);
    return lists.length === 0 ? undefined : lists.reduce(inBoth);
  }
}

/** The places of each value in a list, ascending. */
function numbersByValue(values: Int32Array, count: number): Int32Array[] {
  const counts = new Int32Array(count);
  for (const value of values) counts[value]!++;
  const lists = Array.from(counts, (length) => new Int32Array(length));
  const ends = new Int32Array(count);
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    lists[value]![ends[value]!++] = at;
  }
  return lists;
}

function inverse(conditionOf: Int32Array, conditions: number): Int32Array {
  const numbers = new Int32Array(conditions).fill(NONE);
  conditionOf.forEach((condition, number) => {
    if (condition !== NONE) numbers[condition] = number;
  });
  return numbers;
}

/** Of ascending numbers. */
function inBoth(some: Int32Array, others: Int32Array): Int32Array {
  const found = new Int32Array(Math.min(some.length, others.length));
  let [at, other, count] = [0, 0, 0];
  while (at < some.length && other < others.length) {
    const [one, two] = [some[at]!, others[other]!];
    if (one === two) found[count++] = one;
    if (one <= two) at += 1;
    if (two <= one) other += 1;
  }
  return found.slice(0, count);
}
