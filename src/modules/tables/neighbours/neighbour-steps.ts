import { z } from 'zod';
import { encodeLists } from '../../../common/engine/similarity/elsewhere/encoded-lists';
import type { KeptRows } from '../../../common/engine/similarity/elsewhere/kept-rows';
import { putOnce } from '../../../common/engine/similarity/elsewhere/store-pieces';
import { listsKey, type SearchPass } from '../../../common/engine/similarity/elsewhere/stored-layout';
import type { StoredRows } from '../../../common/engine/similarity/elsewhere/stored-rows';
import type { TopLists } from '../../../common/engine/similarity/vectors/top-lists';
import type { Step, StepContext } from '../../../common/engine/steps/step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { NeighbourSearch } from '../../../common/engine/similarity/threads/structure-thread';
import type { ComparedGroup } from '../build/domain/final-order';
import type { IndexingRun } from '../runs/task-runner';

/** Finds the neighbours of many vectors outside the process that compares them. */
export interface NeighbourEngine {
  /** The minimum number of distinct vectors for which the engine is used. */
  readonly leastVectors: number;
  /** Throws if the engine is unavailable, before vectors are prepared for it. */
  check(signal: AbortSignal): Promise<void>;
  searchOf(run: IndexingRun, group: ComparedGroup): NeighbourSearch;
  /** Called when a comparison has ended, with the error if it failed: removes data that no other attempt can use. */
  release(run: IndexingRun, error?: unknown): Promise<void>;
}

export const NEIGHBOUR_ENGINE = Symbol('NeighbourEngine');

const count = z.int().min(0);
const some = z.int().positive();

const neighboursInput = z.object({
  /** The prefix in the store of the vectors, ordered by cell, and of the lists. */
  prefix: z.string().endsWith('/'),
  shape: z.object({ count: some, dimension: some, cells: some, blocks: some, probes: some }),
  part: count,
});
export const neighboursResult = z.object({ key: z.string() });

export type NeighboursInput = z.infer<typeof neighboursInput>;
type NeighboursResult = z.infer<typeof neighboursResult>;

export const NEIGHBOUR_STEPS = { scanned: 'scan-cells', refined: 'refine-neighbours' } as const;

export interface NeighbourTools {
  readonly store: ObjectStore;
  readonly rows: KeptRows;
}

/** Finds the neighbours of the rows of a part. The result for the same vectors is the same on every machine, so the lists have one key. */
abstract class NeighbourStep implements Step<NeighboursInput, NeighboursResult> {
  abstract readonly name: string;
  protected abstract readonly pass: SearchPass;
  readonly input = neighboursInput;
  readonly result = neighboursResult;

  constructor(private readonly tools: NeighbourTools) {}

  protected abstract find(rows: StoredRows, part: number, signal: AbortSignal): Promise<TopLists>;

  async run({ prefix, shape, part }: NeighboursInput, { signal }: StepContext): Promise<NeighboursResult> {
    const { store, rows } = this.tools;
    const key = listsKey(prefix, this.pass, part);
    const lists = await rows.use(prefix, shape, (each) => this.find(each, part, signal));
    await putOnce(store, key, encodeLists(lists));
    return { key };
  }
}

/** Compares the rows with those in the nearest cells of each. */
export class ScanCellsStep extends NeighbourStep {
  readonly name = NEIGHBOUR_STEPS.scanned;
  protected readonly pass = 'scanned';

  protected find(rows: StoredRows, part: number, signal: AbortSignal): Promise<TopLists> {
    return rows.scan(part, signal);
  }
}

/** Compares the rows with the neighbours of their neighbours, after all cells were scanned. */
export class RefineNeighboursStep extends NeighbourStep {
  readonly name = NEIGHBOUR_STEPS.refined;
  protected readonly pass = 'refined';

  protected find(rows: StoredRows, part: number, signal: AbortSignal): Promise<TopLists> {
    return rows.refine(part, signal);
  }
}
