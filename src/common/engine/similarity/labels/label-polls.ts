import { NEAR_COPY, type JudgedItems } from './label-lists';
import type { LabelVoters } from './label-voters';
import { neighbourWeights } from './neighbour-weights';

/** The votes of an item's neighbours on one of its labels, and for the labels that it lacks. Each poll replaces those of the last one. */
export class LabelPolls {
  /** Of the neighbours that have a label of their own. */
  total = 0;
  given = 0;
  /** The number of labels that the item lacks and neighbours without the given label have. */
  found = 0;
  /** These labels: the first `found` of the array. */
  readonly others: Int32Array;
  /** The votes for each of them. */
  readonly votes: Float64Array;
  private readonly weights: Float32Array;
  /** For each label the last item that was polled and has it. */
  private readonly own: Int32Array;

  constructor(
    private readonly items: JudgedItems,
    private readonly voters: LabelVoters,
  ) {
    const { labels, neighbours } = items;
    this.others = new Int32Array(labels.count);
    this.votes = new Float64Array(labels.count);
    this.weights = neighbourWeights(neighbours);
    this.own = new Int32Array(labels.count).fill(-1);
  }

  /** Near copies do not support the label. */
  poll(item: number, label: number): void {
    const { distinct, neighbours, labels } = this.items;
    const { voters, weights, own } = this;
    for (let at = labels.start[item]!; at < labels.start[item + 1]!; at++) own[labels.values[at]!] = item;
    for (let at = 0; at < this.found; at++) this.votes[this.others[at]!] = 0;
    this.total = this.given = this.found = 0;
    const row = distinct.distinctOf[item]!;
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
      if (share < weight) this.countOthers(item, voter, (near * (weight - share)) / weight);
    }
  }

  private countOthers(item: number, voter: number, part: number): void {
    const { voters, votes, own } = this;
    for (let at = voters.start[voter]!; at < voters.start[voter + 1]!; at++) {
      const other = voters.label[at]!;
      const vote = part * voters.share[at]!;
      if (own[other] === item || voters.members[other]! < 2 || vote === 0) continue;
      if (votes[other] === 0) this.others[this.found++] = other;
      votes[other]! += vote;
    }
  }
}
