import { sharedInt32 } from '../../arithmetic/shared-arrays';
import type { DistinctItems } from '../distinct-items';
import type { TopLists } from '../vectors/top-lists';

export interface JudgedItems {
  readonly distinct: DistinctItems;
  /** The neighbours of the distinct vectors. */
  readonly neighbours: TopLists;
  readonly labels: LabelLists;
}

/**
 * From this cosine on, a neighbour does not support a label, since copies are often labelled together. The finest level of the ladder would be too
 * low: it joins whole classes of similar images, so too few neighbours would be left.
 */
export const NEAR_COPY = 0.98;

/** The labels of items, as numbers: those of item i are `values[start[i]]` to `values[start[i + 1]]`. */
export interface LabelLists {
  /** The number of different labels. */
  readonly count: number;
  readonly start: Int32Array;
  readonly values: Int32Array;
}

/** For items with more labels, only the first ones are compared. */
export const MOST_LABELS = 32;
const FIRST_VALUES = 1024;

/** Collects the labels of items in their order. */
export class LabelListsBuilder {
  private readonly start: Int32Array;
  private values = new Int32Array(FIRST_VALUES);
  private length = 0;
  private readonly numbers = new Map<string, number>();
  private items = 0;

  constructor(capacity: number) {
    this.start = sharedInt32(capacity + 1);
  }

  add(labels: readonly string[]): void {
    for (const label of new Set(labels.slice(0, MOST_LABELS))) {
      let number = this.numbers.get(label);
      if (number === undefined) this.numbers.set(label, (number = this.numbers.size));
      if (this.length === this.values.length) this.grow();
      this.values[this.length++] = number;
    }
    this.start[++this.items] = this.length;
  }

  /** Labels are numbered in alphabetical order, so that the result does not depend on the order of the items. */
  build(): { readonly lists: LabelLists; readonly names: readonly string[] } {
    const names = [...this.numbers.keys()].sort();
    const sorted = new Int32Array(names.length);
    names.forEach((name, at) => (sorted[this.numbers.get(name)!] = at));
    const values = sharedInt32(this.length);
    for (let at = 0; at < values.length; at++) values[at] = sorted[this.values[at]!]!;
    return { lists: { count: names.length, start: this.start, values }, names };
  }

  private grow(): void {
    const larger = new Int32Array(this.values.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}
