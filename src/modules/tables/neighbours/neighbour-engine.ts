import type { NeighbourSearch } from '../../../common/engine/similarity/threads/structure-thread';
import type { ComparedGroup } from '../build/domain/final-order';
import type { IndexingRun } from '../runs/indexing-run';

/** Where the neighbours of many vectors are found, if not in the process that compares them. */
export interface NeighbourEngine {
  /** The number of distinct vectors from which on the engine is used. */
  readonly leastVectors: number;
  /** Throws if it is absent or can't be used, before vectors are prepared for it. */
  check(signal: AbortSignal): Promise<void>;
  searchOf(run: IndexingRun, group: ComparedGroup): NeighbourSearch;
  /** Called when a comparison has ended, with the error if it failed: removes data that no other attempt can use. */
  release(run: IndexingRun, error?: unknown): Promise<void>;
}

export const NEIGHBOUR_ENGINE = Symbol('NeighbourEngine');
