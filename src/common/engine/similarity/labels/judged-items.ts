import type { DistinctItems } from '../distinct-items';
import type { TopLists } from '../vectors/top-lists';
import type { LabelLists } from './label-lists';

export interface JudgedItems {
  readonly distinct: DistinctItems;
  /** Of the distinct vectors. */
  readonly neighbours: TopLists;
  readonly labels: LabelLists;
}

/**
 * From this cosine on, a neighbour does not vouch for a label, since copies are often labelled together. At the finest level of the ladder,
 * which joins whole classes of pictures that look alike, too few others would be left.
 */
export const NEAR_COPY = 0.98;
