import type { LabelLists } from './label-lists';
import type { LabelPolls } from './label-polls';
import { grouped } from './label-voters';

/** For each label the other labels that most neighbours of its items have; further ones count as usual for any label. */
const MOST_OTHERS = 256;
/** Each label has as many votes in advance, distributed as those of all labels. */
const VOTES_IN_ADVANCE = 48;
/** The share of neighbours that may have any label, however unusual it is. */
const ANY_LABEL = 0.05;

interface Profile {
  readonly total: number;
  readonly given: number;
  /** In ascending order. */
  readonly others: Int32Array;
  readonly votes: Float32Array;
}

/** The labels that the neighbours of a label's items usually have. */
export class LabelProfiles {
  private readonly profiles: Profile[] = [];
  /** The share of each label among all labels of items. */
  private readonly frequency: Float64Array;
  private readonly itemOf: Int32Array;
  private readonly places: ReturnType<typeof grouped>;
  private readonly sums: Float64Array;
  /** The share of all neighbours that have the label of the item. */
  private alike = 0;

  constructor(
    private readonly labels: LabelLists,
    private readonly polls: LabelPolls,
  ) {
    this.frequency = new Float64Array(labels.count);
    this.sums = new Float64Array(labels.count);
    this.places = grouped(labels.values, labels.count);
    this.itemOf = new Int32Array(labels.values.length);
    for (let item = 0; item + 1 < labels.start.length; item++)
      this.itemOf.fill(item, labels.start[item], labels.start[item + 1]);
  }

  /** `doubt` is the confidence that a label is wrong, for each label of an item. Such items count less. */
  count(doubt: Float32Array): void {
    const { labels, frequency } = this;
    let [all, given, total] = [labels.count, 0, 0];
    frequency.fill(1);
    labels.values.forEach((label, at) => {
      frequency[label]! += 1 - doubt[at]!;
      all += 1 - doubt[at]!;
    });
    for (let label = 0; label < labels.count; label++) {
      frequency[label]! /= all;
      const profile = this.profileOf(label, doubt);
      this.profiles[label] = profile;
      given += profile.given;
      total += profile.total;
    }
    this.alike = total === 0 ? 0 : given / total;
  }

  frequencyOf(label: number): number {
    return this.frequency[label]!;
  }

  /** The share of the neighbours of a label's items that are expected to have another label, or the same one. */
  shareOf(label: number, other: number): number {
    const { total, given, others, votes } = this.profiles[label]!;
    const usual = (1 - this.alike) * this.frequency[other]! + (other === label ? this.alike : 0);
    const at = other === label ? -1 : placeOf(others, other);
    const own = other === label ? given : at === -1 ? 0 : votes[at]!;
    const share = (own + VOTES_IN_ADVANCE * usual) / (total + VOTES_IN_ADVANCE);
    return (1 - ANY_LABEL) * share + ANY_LABEL * this.frequency[other]!;
  }

  private profileOf(label: number, doubt: Float32Array): Profile {
    const { polls, sums, places } = this;
    const others: number[] = [];
    let [total, given] = [0, 0];
    for (let place = places.start[label]!; place < places.start[label + 1]!; place++) {
      const at = places.item[place]!;
      const weight = 1 - doubt[at]!;
      polls.poll(this.itemOf[at]!, label);
      total += weight * polls.total;
      given += weight * polls.given;
      for (let nth = 0; nth < polls.found && weight > 0; nth++) {
        const other = polls.others[nth]!;
        if (sums[other] === 0) others.push(other);
        sums[other]! += weight * polls.votes[other]!;
      }
    }
    if (others.length > MOST_OTHERS) others.sort((a, b) => sums[b]! - sums[a]! || a - b);
    const kept = Int32Array.from(others.slice(0, MOST_OTHERS)).sort();
    const votes = Float32Array.from(kept, (other) => sums[other]!);
    for (const other of others) sums[other] = 0;
    return { total, given, others: kept, votes };
  }
}

/** The index of a value in ascending values; -1 if it is not there. */
function placeOf(ascending: Int32Array, value: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return ascending[from] === value ? from : -1;
}
