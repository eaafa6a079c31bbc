import { NEAR_COPY, type JudgedItems } from './label-lists';
import type { LabelVoters } from './label-voters';
import type { TopLists } from '../vectors/top-lists';

const MIN_SCALE = 1e-3;

/** A prior added to the neighbours' votes, so that a few neighbours prove little. */
const DOUBT_PRIOR = 1;
const OTHER_PRIOR = 2;
/** Another label is as likely as the given one when its relative share is this many times that of the given one. */
const GIVEN_COUNTS = 2;

/**
 * For each label of an item, compares how many neighbours have it with how many usually do around that label, and does the same for each other label
 * of the neighbours. So a label of similar items is expected of nearly all neighbours, and a label of varied items of few.
 */
export class LabelBallot {
  /** For each label of an item the confidence that it is wrong. */
  readonly doubt: Float32Array;
  /** For each label of an item, the label that the neighbours have instead; -1 if there is none. */
  readonly instead: Int32Array;
  private readonly weights: Float32Array;
  /** For each label, the share of the neighbours of its items that also have it. */
  private readonly expected: Float64Array;
  private readonly votes: Float64Array;
  private readonly touched: Int32Array;
  private readonly own: Int32Array;
  private total = 0;
  private given = 0;

  constructor(
    private readonly items: JudgedItems,
    private readonly voters: LabelVoters,
  ) {
    const { labels, neighbours } = items;
    this.doubt = new Float32Array(labels.values.length);
    this.instead = new Int32Array(labels.values.length).fill(-1);
    this.weights = neighbourWeights(neighbours);
    this.expected = new Float64Array(labels.count);
    this.votes = new Float64Array(labels.count);
    this.touched = new Int32Array(labels.count);
    this.own = new Int32Array(labels.count).fill(-1);
  }

  /** Runs one round with the voters' current weights. */
  count(): void {
    const { labels } = this.items;
    this.voters.weigh(this.doubt);
    this.expect();
    for (let item = 0; item + 1 < labels.start.length; item++) {
      const [from, to] = [labels.start[item]!, labels.start[item + 1]!];
      for (let at = from; at < to; at++) this.own[labels.values[at]!] = item;
      for (let at = from; at < to; at++) this.judge(item, at);
    }
  }

  private expect(): void {
    const { labels } = this.items;
    const carried = new Float64Array(labels.count);
    const all = new Float64Array(labels.count);
    for (let item = 0; item + 1 < labels.start.length; item++) {
      for (let at = labels.start[item]!; at < labels.start[item + 1]!; at++) {
        const label = labels.values[at]!;
        this.poll(item, label);
        carried[label]! += (1 - this.doubt[at]!) * this.given;
        all[label]! += (1 - this.doubt[at]!) * this.total;
      }
    }
    for (let label = 0; label < labels.count; label++)
      this.expected[label] = all[label]! > 0 ? carried[label]! / all[label]! : 1;
  }

  private judge(item: number, at: number): void {
    const { voters, expected, votes, touched } = this;
    const label = this.items.labels.values[at]!;
    this.doubt[at] = 0;
    this.instead[at] = -1;
    // With fewer than two voters, no other row could confirm the label.
    if (voters.members[label]! < 2) return;
    const others = this.poll(item, label, true);
    let most = 0;
    for (let i = 0; i < others; i++) {
      const other = touched[i]!;
      const support = votes[other]! / (this.total * expected[other]! + OTHER_PRIOR);
      votes[other] = 0;
      if (support > most || (support === most && other < this.instead[at])) {
        most = support;
        this.instead[at] = other;
      }
    }
    if (most === 0) return;
    const given = GIVEN_COUNTS * ((this.given + DOUBT_PRIOR) / (this.total * expected[label]! + DOUBT_PRIOR));
    const other = Math.min(1, most);
    this.doubt[at] = (other * other) / (other * other + given * given);
  }

  /**
   * Counts the votes of an item's neighbours on one of its labels. Near copies do not support it. With `others`, also counts the votes for labels that
   * the item lacks, leaving out this one, and returns how many such labels there are.
   */
  private poll(item: number, label: number, others = false): number {
    const { distinct, neighbours } = this.items;
    const { voters, weights } = this;
    const row = distinct.distinctOf[item]!;
    let found = 0;
    this.total = 0;
    this.given = 0;
    for (let place = row * neighbours.length; place < (row + 1) * neighbours.length; place++) {
      const voter = neighbours.keys[place]!;
      if (voter === -1) break;
      const weight = voters.weight[voter]!;
      if (weight === 0) continue;
      const near = weights[place]!;
      const share = voters.shareOf(voter, label);
      const vouched = neighbours.scores[place]! < NEAR_COPY ? share : 0;
      this.total += near * (weight - share + vouched);
      this.given += near * vouched;
      if (others && share < weight) found = this.countOthers(item, voter, (near * (weight - share)) / weight, found);
    }
    return found;
  }

  private countOthers(item: number, voter: number, part: number, found: number): number {
    const { voters, votes, touched, own } = this;
    let count = found;
    for (let at = voters.start[voter]!; at < voters.start[voter + 1]!; at++) {
      const other = voters.label[at]!;
      const vote = part * voters.share[at]!;
      if (own[other] === item || voters.members[other]! < 2 || vote === 0) continue;
      if (votes[other] === 0) touched[count++] = other;
      votes[other]! += vote;
    }
    return count;
  }
}

/**
 * The weights of neighbours as voters, with a mean of 1 per row. They fall with the distance relative to the local scales of both rows, so a
 * neighbour in a dense region has little weight for a row outside it. Near copies, which come first, weigh 1 and do not affect the weights of the
 * others.
 */
function neighbourWeights({ keys, scores, length }: TopLists): Float32Array {
  const rows = keys.length / length;
  const weights = new Float32Array(keys.length).fill(1);
  const scales = Float64Array.from({ length: rows }, (_, row) => {
    const [from, to] = others(row);
    return from === to ? MIN_SCALE : Math.max(MIN_SCALE, 1 - scores[(from + to) >> 1]!);
  });
  for (let row = 0; row < rows; row++) {
    const [from, to] = others(row);
    let sum = 0;
    for (let at = from; at < to; at++) {
      const distance = 1 - scores[at]!;
      weights[at] = Math.exp(-(distance * distance) / (scales[row]! * scales[keys[at]!]!));
      sum += weights[at]!;
    }
    for (let at = from; at < to; at++) weights[at] = sum > 0 ? (weights[at]! * (to - from)) / sum : 1;
  }
  return weights;

  /** The range of the neighbours that are not near copies. */
  function others(row: number): [from: number, to: number] {
    const end = (row + 1) * length;
    let from = row * length;
    while (from < end && scores[from]! >= NEAR_COPY) from += 1;
    let to = from;
    while (to < end && keys[to] !== -1) to += 1;
    return [from, to];
  }
}
