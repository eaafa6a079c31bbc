/** What the neighbours of a set of vectors say: who is near whom, and how they group. */
export interface SimilarityInput {
  readonly count: number;
  readonly dimension: number;
  /** count x dimension, unit length, row by row; backed by a SharedArrayBuffer. */
  readonly vectors: Float32Array;
  /** Items of equal value are copies by bytes (their cosine is 1 by definition). */
  readonly contentGroup: Int32Array;
  /**
   * The model's ladder: average cosine at which clusters join, level 0 (finest, highest) to 4. Level 0 goes by the
   * vectors themselves, the others by vectors drawn towards the neighbours that they share.
   */
  readonly ladder: readonly [number, number, number, number, number];
  readonly threads: number;
}

export interface SimilarityStructure {
  /**
   * Pairs with cosine >= EDGE_FLOOR among the nearest neighbours, each once, first < second. Copies are joined to their
   * first by SAME_BYTES, first copies of one vector to the first of them by SAME_VECTOR; whatever else is alike says less.
   */
  readonly edges: { readonly first: Int32Array; readonly second: Int32Array; readonly cosine: Float32Array };
  /** Cosine to the nearest other item; -1 when there is no other. */
  readonly nearest: Float32Array;
  /** Of each item the cosines to the nearest `FEW` others that are no copies, best first; -Infinity where they are fewer. */
  readonly few: Float32Array;
  /** 0..1, 1 the most distinctive. */
  readonly uniqueness: Float32Array;
  /** 0..1; 0.5 exactly at the cut of the lowest 5 % by nearest similarity. */
  readonly outlier: Float32Array;
  /** For each level the cluster ordinal of each item; nested; ordinals dense from 0, by falling size then by lowest member. */
  readonly clusters: readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
}

export const EDGE_FLOOR = 0.8;
/** Cosines in 32 bits are true within this; pairs are kept from so much below the floor. */
export const COSINE_ERROR = 1e-6;
export const SAME_BYTES = 1;
/** The next below 1 in 32 bits. */
export const SAME_VECTOR = 1 - 2 ** -24;
/** Stands for the cosine of two equal vectors where they are looked for: more than any. */
export const TWIN = 2;
/** Neighbours kept of each distinct vector. */
export const NEIGHBOURS = 16;
/** Nearest others that uniqueness looks at. */
export const FEW = 5;
