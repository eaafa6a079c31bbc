import type { SimilarityInput, SimilarityStructure } from './similarity-structure';

export type Ladder = SimilarityInput['ladder'];
export type ClusterLevels = SimilarityStructure['clusters'];
export type Pairs = SimilarityStructure['edges'];

export interface KnownVectors {
  readonly ordinals: Int32Array;
  /** One after the other, in the order of the ordinals. */
  readonly vectors: Float32Array;
}

/** Items whose places stay as they are: one group of rows of a table. */
export interface KnownItems {
  readonly count: number;
  readonly dimension: number;
  /** The vectors of all of them, in any number of goes. */
  batches(): AsyncIterable<KnownVectors>;
  /** By ordinal; what lies at the ordinals of others is never looked at. */
  readonly clusters: ClusterLevels;
  /** For each level the lowest ordinal that no cluster has yet. */
  readonly freeCluster: readonly number[];
  /** The vector of the item whose uniqueness is the measure of the others'; null when there is none. */
  readonly mostUnique: Float32Array | null;
  /** The distance to the nearest other at which an outlier's confidence is 0.5; null when no item tells. */
  readonly outlierDistance: number | null;
}

export interface AddedItems {
  readonly count: number;
  /** count x dimension, unit length; backed by a SharedArrayBuffer. */
  readonly vectors: Float32Array;
  /** Items of equal value are copies by bytes. */
  readonly contentGroup: Int32Array;
  /** The lowest ordinal of the known items that have the same bytes; -1 where none has. */
  readonly knownCopy: Int32Array;
}

export interface PlacementInput {
  readonly known: KnownItems;
  readonly added: AddedItems;
  readonly ladder: Ladder;
  readonly threads: number;
}

/** Where new items belong, by their number in the batch; what it says of each is as a SimilarityStructure would. */
export interface Placement {
  /** Clusters of known items, or new ones counting on from `freeCluster` without gaps; nested. */
  readonly clusters: ClusterLevels;
  readonly uniqueness: Float32Array;
  readonly outlier: Float32Array;
  /** Cosine to the nearest other, known or new; -1 when there is none. */
  readonly nearest: Float32Array;
  /** Pairs of two new items. */
  readonly among: Pairs;
  /** Pairs of a new item, first, and the ordinal of a known one. */
  readonly toKnown: Pairs;
}
