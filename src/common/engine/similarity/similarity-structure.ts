import type { LabelIssues } from './labels/judge-labels';
import type { LabelLists } from './labels/label-lists';
import type { MemoryLimit } from './rows/memory-plan';

/** The parameters of a comparison. */
export interface Comparison {
  readonly count: number;
  readonly dimension: number;
  /** Items of equal value are copies by content, with a cosine of 1 by definition. */
  readonly contentGroup: Int32Array;
  /**
   * The model's ladder: the average cosine at which clusters join, from level 0 (finest, highest) to level 4. Level 0 uses the exact vectors, the other
   * levels use vectors smoothed towards their shared neighbours.
   */
  readonly ladder: readonly [number, number, number, number, number];
  /** The model's cosine of near duplicates; NEAR_DUPLICATES by default. */
  readonly nearDuplicates?: number;
  readonly threads: number;
  /** If given, the structure has label issues. */
  readonly labels?: LabelLists;
  /** If false, the layout is empty. */
  readonly isMapped?: boolean;
  /** Set if the caller of the computation searches the neighbours of many vectors. */
  readonly elsewhere?: ElsewhereLimits | undefined;
}

/** Vectors in memory, which are written to a scratch file. */
export interface SimilarityInput extends Comparison {
  /** count x dimension, unit length, row by row; backed by a SharedArrayBuffer. */
  readonly vectors: Float32Array;
}

export interface FiledSimilarityInput extends Comparison {
  /** The vectors one after the other, each padded to a multiple of 16 numbers. The file is removed when it is no longer needed. */
  readonly vectorFile: string;
  readonly memory: MemoryLimit;
}

export interface ElsewhereLimits {
  /** From this number of distinct vectors on, the neighbour search of the caller is used. */
  readonly leastVectors: number;
  /** The number of vectors of a step; by default it follows from the number of vectors. */
  readonly partRows?: number;
}

/** Vectors, of which as many are in memory at a time as a limit allows. */
export type ComparedVectors = FiledSimilarityInput | (SimilarityInput & Pick<FiledSimilarityInput, 'memory'>);

export interface SimilarityStructure {
  /**
   * Pairs with cosine >= `leastCosine` among the nearest neighbours, each once, first < second. Copies have an edge to their original with the cosine
   * SAME_BYTES, originals with the same vector an edge to the first of them with SAME_VECTOR; all other cosines are lower.
   */
  readonly edges: { readonly first: Int32Array; readonly second: Int32Array; readonly cosine: Float32Array };
  /** The cosine to the nearest other item; -1 if there is no other. */
  readonly nearest: Float32Array;
  /** For each item the cosines to the nearest `FEW` others that are not copies, best first; -Infinity if there are fewer. */
  readonly few: Float32Array;
  /** 0..1; 1 is the most distinctive. */
  readonly uniqueness: Float32Array;
  /** 0..1; 0.5 exactly at the cut of the lowest 5 % by nearest similarity. */
  readonly outlier: Float32Array;
  /** Null if the input has no labels. */
  readonly labelIssues: LabelIssues | null;
  /** For each level the cluster ordinal of each item; nested; ordinals without gaps from 0, by descending size, then by lowest member. */
  readonly clusters: readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];
  /** Similar items are near each other. */
  readonly layout: MapLayout;
}

/** Places in the unit square, x to the right and y down; NaN for items without a direction, whose vector is zero. */
export interface MapLayout {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** The error bound of 32-bit cosines; pairs are kept from this much below `leastCosine`. */
export const COSINE_ERROR = 1e-6;
export const SAME_BYTES = 1;
/** The largest 32-bit number below 1. */
export const SAME_VECTOR = 1 - 2 ** -24;
/** Used instead of the cosine of two equal vectors in a search; above any cosine. */
export const TWIN = 2;
/** The number of neighbours kept for each distinct vector. */
export const NEIGHBOURS = 16;
/** The number of nearest items that uniqueness is based on. */
export const FEW = 5;
