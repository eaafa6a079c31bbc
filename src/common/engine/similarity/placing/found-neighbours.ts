import type { FreshItems } from './fresh-items';
import type { KnownNeighbours } from './known-neighbours';
import type { KnownItems } from './placement';
import type { SimilarityStructure } from '../similarity-structure';

export interface FoundNeighbours {
  readonly known: KnownItems;
  readonly fresh: FreshItems;
  readonly neighbours: KnownNeighbours;
  /** The structure of the fresh items only. */
  readonly structure: SimilarityStructure;
}
