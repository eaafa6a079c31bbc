import { sharedFloat32, sharedInt32 } from '../../arithmetic/shared-arrays';
import { classOutliers } from './class-outliers';
import { scaleToBestChoice } from './confidence-scale';
import type { JudgedItems } from './label-lists';
import { LabelBallot } from './label-ballot';
import { LabelVoters } from './label-voters';

/** Label issues of each item, derived from its neighbours. */
export interface LabelIssues {
  /** 0..1: the confidence that a label is wrong; with several labels, that of the most doubtful one. */
  readonly mislabel: Float32Array;
  /** The label that the neighbours have instead of the most doubtful one; -1 if there is none. */
  readonly suggested: Int32Array;
  /** 0..1: how far an item is from others with its label; 1 from the fence of the class on. */
  readonly classOutlier: Float32Array;
}

/** In the second round, neighbours whose own labels are doubtful count less. */
const ROUNDS = 2;

/** Without two different labels there is nothing to judge. */
export function judgeLabels(items: JudgedItems): LabelIssues {
  const { labels, distinct } = items;
  const total = distinct.distinctOf.length;
  const mislabel = sharedFloat32(total);
  const suggested = sharedInt32(total).fill(-1);
  const classOutlier = sharedFloat32(total);
  if (labels.count < 2) return { mislabel, suggested, classOutlier };
  const voters = new LabelVoters(distinct, labels);
  const ballot = new LabelBallot(items, voters);
  for (let round = 0; round < ROUNDS; round++) ballot.count();
  const { doubt, instead } = ballot;
  scaleToBestChoice(doubt);
  for (let item = 0; item < total; item++) {
    for (let at = labels.start[item]!; at < labels.start[item + 1]!; at++) {
      if (doubt[at]! <= mislabel[item]!) continue;
      mislabel[item] = doubt[at]!;
      suggested[item] = instead[at]!;
    }
  }
  classOutliers(items, voters, doubt, classOutlier);
  return { mislabel, suggested, classOutlier };
}
