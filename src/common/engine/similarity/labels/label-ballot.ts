import type { JudgedItems } from './label-lists';
import { LabelPolls } from './label-polls';
import { LabelProfiles } from './label-profiles';
import type { LabelVoters } from './label-voters';

/** How likely a label is wrong, before any neighbour is asked. */
const WRONG = 0.02;
/** A wrong label stands for one of at most as many other labels. */
const MOST_ALTERNATIVES = 10;
/** Neighbours are like each other, so each of them says less than an independent one. */
const INDEPENDENCE = 0.4;
/** Votes for further labels do not count, and of these only the first ones are compared with the given label. */
const MOST_VOTED = 16;
const MOST_COMPARED = 8;

/**
 * The probability that a label of an item is wrong: compares the labels of its neighbours with those that the neighbours of a label's items usually
 * have, for the given label and for each one that the neighbours have instead.
 */
export class LabelBallot {
  /** For each label of an item the confidence that it is wrong. */
  readonly doubt: Float32Array;
  /** For each label of an item, the label that the neighbours have instead; -1 if there is none. */
  readonly instead: Int32Array;
  private readonly polls: LabelPolls;
  private readonly profiles: LabelProfiles;
  private readonly odds: number;

  constructor(
    private readonly items: JudgedItems,
    private readonly voters: LabelVoters,
  ) {
    const { labels } = items;
    this.doubt = new Float32Array(labels.values.length);
    this.instead = new Int32Array(labels.values.length).fill(-1);
    this.polls = new LabelPolls(items, voters);
    this.profiles = new LabelProfiles(labels, this.polls);
    this.odds = Math.log(WRONG / (1 - WRONG) / Math.min(labels.count - 1, MOST_ALTERNATIVES));
  }

  /** Runs one round, in which neighbours with doubtful labels count less. */
  count(): void {
    const { labels } = this.items;
    this.voters.weigh(this.doubt);
    this.profiles.count(this.doubt);
    for (let item = 0; item + 1 < labels.start.length; item++)
      for (let at = labels.start[item]!; at < labels.start[item + 1]!; at++) this.judge(item, at);
  }

  private judge(item: number, at: number): void {
    const { polls } = this;
    const label = this.items.labels.values[at]!;
    this.doubt[at] = 0;
    this.instead[at] = -1;
    // With fewer than two voters, no other row could confirm the label.
    if (this.voters.members[label]! < 2) return;
    polls.poll(item, label);
    const others = this.mostVoted();
    const usual = Float64Array.from(others, (voted) => Math.log(this.profiles.shareOf(label, voted)));
    let [sum, most] = [0, -Infinity];
    for (const other of others.subarray(0, MOST_COMPARED)) {
      const odds = this.logOddsOf(other, label, others, usual);
      sum += Math.exp(odds);
      if (odds <= most) continue;
      most = odds;
      this.instead[at] = other;
    }
    this.doubt[at] = sum === Infinity ? 1 : sum / (1 + sum);
  }

  private mostVoted(): Int32Array {
    const { others, found, votes } = this.polls;
    return others
      .slice(0, found)
      .sort((a, b) => votes[b]! - votes[a]! || a - b)
      .subarray(0, MOST_VOTED);
  }

  /** The logarithm of how many times likelier the other label is than the given one, of whose items `usual` is known about those voted for. */
  private logOddsOf(other: number, label: number, voted: Int32Array, usual: Float64Array): number {
    const { polls, profiles } = this;
    const { total, given, votes } = polls;
    let [evidence, third, rest] = [0, 0, 0];
    voted.forEach((each, at) => {
      const told = votes[each]! * (Math.log(profiles.shareOf(other, each)) - usual[at]!);
      if (each === other) evidence += told;
      else {
        third += told;
        rest += votes[each]!;
      }
    });
    // Neighbours with several labels vote for each of them, but are not counted again beside the two that are compared.
    if (rest > 0) evidence += third * Math.min(1, Math.max(0, total - given - votes[other]!) / rest);
    evidence += given * Math.log(profiles.shareOf(other, label) / profiles.shareOf(label, label));
    const frequency = Math.log(profiles.frequencyOf(other) / profiles.frequencyOf(label));
    return INDEPENDENCE * evidence + frequency + this.odds;
  }
}
