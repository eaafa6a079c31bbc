import type { ClusterEdges, Clusters } from '../linkage/edge-list';
import type { LinkageGroups } from '../linkage/linkage-groups';
import type { Crowd } from '../projection/crowd';
import type { MapLayout } from '../similarity-structure';
import type { NearLists } from '../placing/near-lists';
import type { TopLists } from '../vectors/top-lists';
import type { FloatRows, VectorBlocks } from '../vectors/vector-blocks';
import type { SearchedVectors } from '../vectors/vector-rows';
import type { VectorTableHandle } from '../vectors/vector-table';

/** Threads take the next unit of a job from `cursor`; the result does not depend on which thread takes which unit. */
export interface Shared {
  readonly cursor: Int32Array;
  readonly unit: number;
  readonly total: number;
  /** Not 0 if the result is no longer needed. */
  readonly stop: Int32Array;
}

export const isStopped = (stop: Int32Array): boolean => Atomics.load(stop, 0) !== 0;

export interface EncodeRowsJob extends Shared {
  readonly kind: 'encodeRows';
  readonly source: SearchedVectors;
}

export interface FillBlocksJob extends Shared {
  readonly kind: 'fillBlocks';
  readonly blocks: VectorBlocks;
  readonly rows: FloatRows | VectorTableHandle;
}

/** Compares rows with every block. */
export interface ScanAllJob extends Shared {
  readonly kind: 'scanAll';
  readonly source: SearchedVectors;
  readonly rows: Int32Array;
  readonly blocks: VectorBlocks;
  readonly lists: TopLists;
  /** True if members and rows are the same vectors, so that a row is not its own neighbour. */
  readonly skipSelf: boolean;
}

/** Compares every row with the blocks of the cells nearest to it. */
export interface ScanCellsJob extends Shared {
  readonly kind: 'scanCells';
  readonly source: SearchedVectors;
  readonly place: Int32Array;
  /** The number of the row at which `cells` and the lists begin. */
  readonly first: number;
  readonly cells: TopLists;
  /** The blocks of cell c are firstBlock[c] to firstBlock[c + 1]. */
  readonly firstBlock: Int32Array;
  readonly blocks: VectorBlocks;
  readonly lists: TopLists;
}

/** Reads rows from a file into the table. */
export interface LoadRowsJob extends Shared {
  readonly kind: 'loadRows';
  readonly table: VectorTableHandle;
  readonly file: number;
  /** Positions in the file, ascending. */
  readonly positions: Int32Array;
  readonly places: Int32Array;
}

/** Converts shortlists to neighbours with exact cosines. */
export interface SettleJob extends Shared {
  readonly kind: 'settle';
  readonly table: VectorTableHandle;
  readonly place: Int32Array;
  /** The number of the row that the lists begin with. */
  readonly first: number;
  readonly shortlists: TopLists;
  readonly neighbours: TopLists;
}

/** Searches among the neighbours of neighbours outside the cells already scanned. */
export interface RefineJob extends Shared {
  readonly kind: 'refine';
  readonly table: VectorTableHandle;
  readonly place: Int32Array;
  /** The number of the row that `after` begins with. */
  readonly first: number;
  readonly cells: TopLists;
  /** The cell of each row. */
  readonly home: Int32Array;
  readonly before: TopLists;
  readonly after: TopLists;
}

/** Smooths the vectors of the rows from `first` on and writes them to the table from place `target` on. */
export interface SmoothJob extends Shared {
  readonly kind: 'smooth';
  readonly source: FloatRows;
  readonly place: Int32Array;
  readonly first: number;
  readonly neighbours: TopLists;
  readonly table: VectorTableHandle;
  readonly target: number;
}

/** Computes the similarities of edges that join a changed cluster, from the sums in the table. */
export interface MeasureJob extends Shared {
  readonly kind: 'measure';
  readonly table: VectorTableHandle;
  readonly place: Int32Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly similarity: Float32Array;
  readonly size: Int32Array;
  readonly changed: Uint8Array;
}

/** Clusters groups of rows without edges between them, each independently. */
export interface LinkJob extends Shared {
  readonly kind: 'link';
  /** The sums of the clusters. Overwritten. */
  readonly table: VectorTableHandle;
  readonly place: Int32Array;
  readonly groups: LinkageGroups;
  readonly edges: ClusterEdges;
  readonly clusters: Clusters;
  readonly cuts: readonly number[];
  /** For each cut that is a level of the ladder, the resulting cluster of each row. */
  readonly levels: readonly (Int32Array | undefined)[];
  /** Increased by the number of rows whose cuts are done. */
  readonly progress: Int32Array;
}

/** Added rows in cells around means. */
export interface AddedCells {
  /** The mean vector of each cell. */
  readonly means: VectorBlocks;
  /** The blocks of cell c are firstBlock[c] to firstBlock[c + 1]. */
  readonly firstBlock: Int32Array;
  /** The cell that every known row is compared with. */
  readonly always: number;
}

/** Compares known rows with added ones. */
export interface ScanKnownJob extends Shared {
  readonly kind: 'scanKnown';
  readonly vectors: Float32Array;
  readonly ordinals: Int32Array;
  /** The added rows, stored consecutively, and the same rows as blocks. */
  readonly added: Float32Array;
  readonly blocks: VectorBlocks;
  /** The cells of the added rows; undefined if every known row is compared with all added rows. */
  readonly cells: AddedCells | undefined;
  /** The nearest known ordinals of each added row, in a separate list per thread; a thread takes the lists at `seat` and increments it. */
  readonly lists: readonly NearLists[];
  readonly seat: Int32Array;
  /** For each known row, the nearest of the first `naming` added rows with a cosine of at least `least`. */
  readonly named: TopLists;
  readonly naming: number;
  readonly least: number;
  /** Filled for known rows with such neighbours. */
  readonly hashes: Int32Array;
}

/** Moves each row once towards its neighbours and away from others. Reads only `before`, so rows can be moved in any order. */
export interface ArrangeRowsJob extends Shared {
  readonly kind: 'arrange';
  readonly keys: Int32Array;
  readonly pull: Float32Array;
  /** The number of neighbours per row. */
  readonly length: number;
  readonly before: MapLayout;
  readonly after: MapLayout;
  readonly crowd: Crowd | undefined;
  readonly round: number;
  /** 0 to 1. */
  readonly step: number;
  /** The distance beyond which the pull of neighbours grows less than in proportion. */
  readonly reach: number;
}

export type PoolJob =
  | ScanKnownJob
  | EncodeRowsJob
  | FillBlocksJob
  | ScanAllJob
  | ScanCellsJob
  | SettleJob
  | RefineJob
  | SmoothJob
  | ArrangeRowsJob
  | MeasureJob
  | LinkJob
  | LoadRowsJob;
