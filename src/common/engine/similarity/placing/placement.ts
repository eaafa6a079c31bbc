import type { MapLayout, SimilarityInput, SimilarityStructure } from '../similarity-structure';

export type Ladder = SimilarityInput['ladder'];
export type ClusterLevels = SimilarityStructure['clusters'];
export type Pairs = SimilarityStructure['edges'];

export interface KnownVectors {
  readonly ordinals: Int32Array;
  /** Stored consecutively, in the order of the ordinals. */
  readonly vectors: Float32Array;
}

/** A group of rows of a table, whose clusters do not change. */
export interface KnownItems {
  readonly count: number;
  readonly dimension: number;
  /** Reads the vectors of all items, in any number of batches. */
  batches(): AsyncIterable<KnownVectors>;
  /** By ordinal; the entries of other ordinals are ignored. */
  readonly clusters: ClusterLevels;
  /** By ordinal, like the clusters; NaN for items without a place on the map. */
  readonly places: MapLayout;
  /** For each level the lowest unused cluster ordinal. */
  readonly freeCluster: readonly number[];
  /** The vector of the item that sets the scale of uniqueness; null if there is none. */
  readonly mostUnique: Float32Array | null;
  /** The distance to the nearest other at which the outlier confidence is 0.5; null if it cannot be derived. */
  readonly outlierDistance: number | null;
}

export interface AddedItems {
  readonly count: number;
  /** count x dimension, unit length; backed by a SharedArrayBuffer. */
  readonly vectors: Float32Array;
  /** Items of equal value are copies by content. */
  readonly contentGroup: Int32Array;
  /** The lowest ordinal of the known items with the same content, or -1. */
  readonly knownCopy: Int32Array;
}

export interface PlacementInput {
  readonly known: KnownItems;
  readonly added: AddedItems;
  readonly ladder: Ladder;
  /** As in a comparison. */
  readonly nearDuplicates?: number;
  readonly threads: number;
  /** A folder for scratch files. */
  readonly scratch: string;
}

/** The clusters and measures of new items, by their index in the batch, with the same meaning as in a SimilarityStructure. */
export interface Placement {
  /** Clusters of known items, or new ones numbered from `freeCluster` without gaps; nested. */
  readonly clusters: ClusterLevels;
  readonly uniqueness: Float32Array;
  readonly outlier: Float32Array;
  /** The cosine to the nearest other, known or new; -1 if there is none. */
  readonly nearest: Float32Array;
  readonly layout: MapLayout;
  /** Pairs of two new items. */
  readonly among: Pairs;
  /** Pairs of a new item and the ordinal of a known one. */
  readonly toKnown: Pairs;
}
