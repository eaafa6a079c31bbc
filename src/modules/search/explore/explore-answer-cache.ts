import { BoundedCache } from '../../../common/platform/cache/bounded-cache';
import type { FoundClusters } from './found-clusters';

/** Of the objects of a page, and of each of its previews. */
const PAGE_BYTES = 1000;
const PREVIEW_BYTES = 200;

/** LRU cache of results. A table version is immutable, so its results never go stale. */
export class ExploreAnswerCache extends BoundedCache<FoundClusters> {
  constructor(budgetBytes: number) {
    super(budgetBytes, ({ cards: { bytes, bounds } }) => PAGE_BYTES + PREVIEW_BYTES * bounds.length + bytes.byteLength);
  }
}
