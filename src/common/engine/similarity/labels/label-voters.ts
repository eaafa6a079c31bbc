import type { DistinctItems } from '../distinct-items';
import { MOST_LABELS, type LabelLists } from './label-lists';

const NONE = -1;

/** The labels of each distinct vector. Copies are one voter, which splits its weight between their labels. Doubtful items weigh less. */
export class LabelVoters {
  /** The labels of voter v are `label[start[v]]` to `label[start[v + 1]]`. */
  readonly start: Int32Array;
  readonly label: Int32Array;
  /** For each of these labels, the share of the voter's weight. */
  readonly share: Float64Array;
  /** 0 for voters without labels. */
  readonly weight: Float64Array;
  /** For each label, the number of voters with it. */
  readonly members: Int32Array;
  /** For each label of an item, its index among the labels of the voter. */
  private readonly placeOf: Int32Array;
  /** For each voter the number of its items that have labels. */
  private readonly labelled: Int32Array;

  constructor(
    private readonly distinct: DistinctItems,
    private readonly labels: LabelLists,
  ) {
    const { count, distinctOf } = distinct;
    this.start = new Int32Array(count + 1);
    this.weight = new Float64Array(count);
    this.members = new Int32Array(labels.count);
    this.labelled = new Int32Array(count);
    this.placeOf = new Int32Array(labels.values.length);
    const itemsOf = grouped(distinctOf, count);
    const seenBy = new Int32Array(labels.count).fill(NONE);
    const placeIn = new Int32Array(labels.count);
    const label: number[] = [];
    for (let voter = 0; voter < count; voter++) {
      for (let at = itemsOf.start[voter]!; at < itemsOf.start[voter + 1]!; at++) {
        const item = itemsOf.item[at]!;
        const [from, to] = [labels.start[item]!, labels.start[item + 1]!];
        if (to > from) this.labelled[voter]! += 1;
        for (let place = from; place < to; place++) {
          const value = labels.values[place]!;
          if (seenBy[value] !== voter) {
            seenBy[value] = voter;
            placeIn[value] = label.length - this.start[voter]! < MOST_LABELS ? label.push(value) - 1 : NONE;
            this.members[value]! += 1;
          }
          this.placeOf[place] = placeIn[value]!;
        }
      }
      this.start[voter + 1] = label.length;
    }
    this.label = Int32Array.from(label);
    this.share = new Float64Array(label.length);
  }

  /** `doubt` is the confidence that a label is wrong, for each label of an item. An item weighs as much as its most doubtful label allows. */
  weigh(doubt: Float32Array): void {
    const { distinct, labels, labelled, placeOf, share, weight } = this;
    share.fill(0);
    weight.fill(0);
    for (let item = 0; item < distinct.distinctOf.length; item++) {
      const [from, to] = [labels.start[item]!, labels.start[item + 1]!];
      if (to === from) continue;
      let most = 0;
      for (let at = from; at < to; at++) most = Math.max(most, doubt[at]!);
      const voter = distinct.distinctOf[item]!;
      const part = (1 - most) / labelled[voter]!;
      weight[voter]! += part;
      for (let at = from; at < to; at++) if (placeOf[at] !== NONE) share[placeOf[at]!]! += part;
    }
  }

  /** The part of a voter's weight that supports a label. */
  shareOf(voter: number, label: number): number {
    for (let at = this.start[voter]!; at < this.start[voter + 1]!; at++)
      if (this.label[at] === label) return this.share[at]!;
    return 0;
  }
}

/** Items by their group: those of group g are `item[start[g]]` to `item[start[g + 1]]`. */
export function grouped(groupOf: Int32Array, groups: number): { start: Int32Array; item: Int32Array } {
  const start = new Int32Array(groups + 1);
  for (const group of groupOf) start[group + 1]! += 1;
  for (let group = 0; group < groups; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const item = new Int32Array(groupOf.length);
  groupOf.forEach((group, at) => (item[next[group]!++] = at));
  return { start, item };
}
