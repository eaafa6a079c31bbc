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
  private readonly pictures: readonly Int32Array[];
  private readonly labels: Int32Array;
  private readonly sizes: Int32Array;

  constructor(
    readonly units: SliceUnits,
    by: SliceConditions,
  ) {
    this.pictures = picturesByCondition(by);
    this.labels = inverse(by.ofLabels, by.subjects.length);
    this.sizes = inverse(by.ofSizes, by.subjects.length);
  }

  /** Ascending. */
  unitsOf(conditions: readonly number[]): Int32Array {
    let count = 0;
    this.eachUnit(conditions, () => count++);
    const units = new Int32Array(count);
    let end = 0;
    this.eachUnit(conditions, (unit) => (units[end++] = unit));
    return units;
  }

  private eachUnit(conditions: readonly number[], visit: (unit: number) => void): void {
    const { firsts, labels, sizes } = this.units;
    const label = conditions.map((each) => this.labels[each]!).find((each) => each !== NONE);
    const size = conditions.map((each) => this.sizes[each]!).find((each) => each !== NONE);
    const pictures = this.picturesOf(conditions);
    for (let at = 0; at < (pictures?.length ?? firsts.length - 1); at++) {
      const picture = pictures === undefined ? at : pictures[at]!;
      for (let unit = firsts[picture]!; unit < firsts[picture + 1]!; unit++)
        if ((label === undefined || labels[unit] === label) && (size === undefined || sizes[unit] === size))
          visit(unit);
    }
  }

  /** Undefined for all. */
  private picturesOf(conditions: readonly number[]): Int32Array | undefined {
    const lists = conditions
      .filter((each) => this.labels[each] === NONE && this.sizes[each] === NONE)
      .map((each) => this.pictures[each]!);
    return lists.length === 0 ? undefined : lists.reduce(inBoth);
  }
}

/** What units add up to in each picture. */
export function sumsOf({ firsts, columns }: SliceUnits, members: Int32Array): SliceSums {
  const pictures = new Int32Array(members.length);
  const sums = columns.map(() => new Int32Array(members.length));
  let [count, picture] = [0, 0];
  for (const unit of members) {
    while (firsts[picture + 1]! <= unit) picture += 1;
    if (count === 0 || pictures[count - 1] !== picture) pictures[count++] = picture;
    for (let column = 0; column < sums.length; column++) sums[column]![count - 1]! += columns[column]![unit]!;
  }
  return { pictures: pictures.slice(0, count), columns: sums.map((each) => each.slice(0, count)) };
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
