import { z } from 'zod';
import { encodeLists } from '../../../common/engine/similarity/elsewhere/encoded-lists';
import type { KeptRows } from '../../../common/engine/similarity/elsewhere/kept-rows';
import { SEARCH_STEPS, type SearchStep } from '../../../common/engine/similarity/elsewhere/stored-layout';
import type { Step, StepContext } from '../../../common/engine/steps/step';
import type { ElsewhereLimits } from '../../../common/engine/similarity/similarity-structure';
import type { NeighbourSearch } from '../../../common/engine/similarity/threads/structure-thread';
import type { ComparedGroup } from '../build/domain/final-order';
import type { IndexingRun } from '../runs/task-runner';

/** Finds the neighbours of many vectors outside the process that compares them. */
export interface NeighbourEngine {
  readonly limits: ElsewhereLimits;
  /** Throws if the engine is unavailable, before vectors are prepared for it. */
  check(signal: AbortSignal): Promise<void>;
  searchOf(run: IndexingRun, group: ComparedGroup): NeighbourSearch;
  /** Runs a comparison, and removes the data of its searches unless the next attempt can use them. */
  during<T>(run: IndexingRun, compare: () => Promise<T>): Promise<T>;
}

export const NEIGHBOUR_ENGINE = Symbol('NeighbourEngine');

const count = z.int().min(0);
const some = z.int().positive();

const neighboursInput = z.object({
  /** Below it are the vectors, in the order of their cells, and the results of the steps. */
  prefix: z.string().endsWith('/'),
  shape: z.object({ count: some, dimension: some, cells: some, blocks: some, probes: some, partRows: some }),
  part: count,
});

export type NeighboursInput = z.infer<typeof neighboursInput>;

export interface NeighbourTools {
  readonly rows: KeptRows;
}

/** Finds neighbours of the rows of a part. The result are their lists, which are the same on every machine. */
export class NeighbourStep implements Step<NeighboursInput> {
  readonly input = neighboursInput;

  constructor(
    readonly name: SearchStep,
    private readonly tools: NeighbourTools,
  ) {}

  async run({ prefix, shape, part }: NeighboursInput, { signal }: StepContext): Promise<Buffer> {
    const lists = await this.tools.rows.use(prefix, shape, (rows) =>
      this.name === 'scan-cells' ? rows.scan(part, signal) : rows.refine(part, signal),
    );
    return encodeLists(lists);
  }
}

export const neighbourSteps = (tools: NeighbourTools): NeighbourStep[] =>
  SEARCH_STEPS.map((name) => new NeighbourStep(name, tools));
