import type { DistinctItems } from '../distinct-items';
import type { TopLists } from '../vectors/top-lists';
import type { LabelLists } from './label-lists';

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
