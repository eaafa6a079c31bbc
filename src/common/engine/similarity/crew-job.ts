import type { NearLists } from './near-lists';
import type { TopLists } from './top-lists';
import type { FloatRows, VectorBlocks } from './vector-blocks';
import type { SearchedVectors } from './vector-rows';
import type { VectorTableHandle } from './vector-table';

/** Threads share a job by drawing its next unit from `cursor`; which thread draws which changes no result. */
export interface Shared {
  readonly cursor: Int32Array;
  readonly unit: number;
  readonly total: number;
  /** Not 0 when nobody wants the result any more. */
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

/** Rows against every block. */
export interface ScanAllJob extends Shared {
  readonly kind: 'scanAll';
  readonly source: SearchedVectors;
  readonly rows: Int32Array;
  readonly blocks: VectorBlocks;
  readonly lists: TopLists;
  /** Set when members and rows are the same vectors: none is a neighbour of itself. */
  readonly skipSelf: boolean;
}

/** Every row against the blocks of the cells nearest to it. */
export interface ScanCellsJob extends Shared {
  readonly kind: 'scanCells';
  readonly source: SearchedVectors;
  readonly cells: TopLists;
  /** Block numbers of cell c: firstBlock[c] to firstBlock[c + 1]. */
  readonly firstBlock: Int32Array;
  readonly blocks: VectorBlocks;
  readonly lists: TopLists;
}

/** Turns shortlists into neighbours with their true cosines. */
export interface SettleJob extends Shared {
  readonly kind: 'settle';
  readonly table: VectorTableHandle;
  readonly shortlists: TopLists;
  readonly neighbours: TopLists;
}

/** Looks among neighbours' neighbours outside the cells already scanned. */
export interface RefineJob extends Shared {
  readonly kind: 'refine';
  readonly table: VectorTableHandle;
  readonly cells: TopLists;
  readonly before: TopLists;
  readonly after: TopLists;
}

/** Smooths the vectors of `item`, one a row, into the table. */
export interface SmoothJob extends Shared {
  readonly kind: 'smooth';
  readonly table: VectorTableHandle;
  readonly neighbours: TopLists;
  readonly vectors: Float32Array;
  readonly item: Int32Array;
}

/** Measures edges by the table's rows. */
export interface MeasureJob extends Shared {
  readonly kind: 'measure';
  readonly table: VectorTableHandle;
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

/** Known rows against added ones. */
export interface ScanKnownJob extends Shared {
  readonly kind: 'scanKnown';
  readonly vectors: Float32Array;
  readonly ordinals: Int32Array;
  /** The added rows, one after the other, and the same as blocks. */
  readonly added: Float32Array;
  readonly blocks: VectorBlocks;
  /** Nearest known ordinals of each added row, lists of its own for each thread; the next thread takes those at `seat`. */
  readonly lists: readonly NearLists[];
  readonly seat: Int32Array;
  /** Nearest added rows of each known one from the floor on, of the first `naming` added ones. */
  readonly named: TopLists;
  readonly naming: number;
  /** Filled for known rows that name any. */
  readonly hashes: Int32Array;
}

export type CrewJob =
  | ScanKnownJob
  | EncodeRowsJob
  | FillBlocksJob
  | ScanAllJob
  | ScanCellsJob
  | SettleJob
  | RefineJob
  | SmoothJob
  | MeasureJob;
