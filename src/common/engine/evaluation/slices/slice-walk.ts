import { NONE } from '../outcomes';
import type { SliceConditions } from './slice-conditions';
import { SIZES, type SliceUnits } from './slice-units';

/** Objects of a picture that belong to the same slices: all, those of a label, of a size, or of both. */
export interface SliceGroup {
  /** Those that make the group what it is, a label or a size, and then those of the picture. */
  readonly conditions: Int32Array;
  /** How many there are. */
  count: number;
  /** How many make the group what it is: a slice of the group has these. */
  own: number;
  /** What its units add up to, by column. */
  readonly sums: Float64Array;
}

/** Visits each group of each picture. The group is only valid during the visit. */
export function eachGroup(units: SliceUnits, conditions: SliceConditions, visit: (group: SliceGroup) => void): void {
  const groups = new PictureGroups(units, conditions);
  for (let picture = 0; picture + 1 < units.firsts.length; picture++) groups.visit(picture, visit);
}

class PictureGroups {
  private readonly sums: Float64Array;
  /** Up to two for each group. */
  private readonly owned: Int32Array;
  private readonly ofLabels: Int32Array;
  private readonly ofSizes = new Int32Array(SIZES.length);
  private readonly group: SliceGroup;
  private readonly columns: number;
  private used = 0;

  constructor(
    private readonly units: SliceUnits,
    private readonly conditions: SliceConditions,
  ) {
    this.columns = units.columns.length;
    const most = 1 + SIZES.length + 2 * longest(units.firsts);
    this.sums = new Float64Array(most * this.columns);
    this.owned = new Int32Array(most * 2);
    this.ofLabels = new Int32Array(conditions.ofLabels.length).fill(NONE);
    const held = new Int32Array(longest(conditions.firsts) + 2);
    this.group = { conditions: held, count: 0, own: 0, sums: new Float64Array(this.columns) };
  }

  visit(picture: number, visit: (group: SliceGroup) => void): void {
    const { firsts } = this.units;
    const [first, end] = [firsts[picture]!, firsts[picture + 1]!];
    if (first === end) return;
    this.make(first, end);
    for (let group = 0; group < this.used; group++) {
      this.fill(group, picture);
      visit(this.group);
    }
  }

  private make(first: number, end: number): void {
    const { ofLabels, ofSizes } = this.conditions;
    const { labels, sizes } = this.units;
    this.used = 0;
    this.ofSizes.fill(NONE);
    for (let unit = first; unit < end; unit++) this.ofLabels[labels[unit]!] = NONE;
    const all = this.add(NONE, NONE);
    for (let unit = first; unit < end; unit++) {
      this.addTo(all, unit);
      const [label, size] = [labels[unit]!, sizes[unit]!];
      const ofLabel = ofLabels[label]!;
      const ofSize = size === NONE ? NONE : ofSizes[size]!;
      if (ofLabel !== NONE) {
        if (this.ofLabels[label] === NONE) this.ofLabels[label] = this.add(ofLabel, NONE);
        this.addTo(this.ofLabels[label]!, unit);
      }
      if (ofSize === NONE) continue;
      if (this.ofSizes[size] === NONE) this.ofSizes[size] = this.add(ofSize, NONE);
      this.addTo(this.ofSizes[size]!, unit);
      if (ofLabel !== NONE) this.addTo(this.add(ofLabel, ofSize), unit);
    }
  }

  private add(one: number, other: number): number {
    this.owned[2 * this.used] = one;
    this.owned[2 * this.used + 1] = other;
    this.sums.fill(0, this.columns * this.used, this.columns * (this.used + 1));
    return this.used++;
  }

  private addTo(group: number, unit: number): void {
    const { columns } = this.units;
    for (let column = 0; column < columns.length; column++)
      this.sums[columns.length * group + column]! += columns[column]![unit]!;
  }

  private fill(number: number, picture: number): void {
    const { group, owned } = this;
    const { firsts, held } = this.conditions;
    group.own = 0;
    for (let at = 2 * number; at < 2 * number + 2; at++)
      if (owned[at] !== NONE) group.conditions[group.own++] = owned[at]!;
    group.count = group.own;
    for (let at = firsts[picture]!; at < firsts[picture + 1]!; at++) group.conditions[group.count++] = held[at]!;
    const { columns, sums } = this;
    for (let column = 0; column < columns; column++) group.sums[column] = sums[columns * number + column]!;
  }
}

function longest(firsts: Int32Array): number {
  let most = 0;
  for (let at = 0; at + 1 < firsts.length; at++) most = Math.max(most, firsts[at + 1]! - firsts[at]!);
  return most;
}
