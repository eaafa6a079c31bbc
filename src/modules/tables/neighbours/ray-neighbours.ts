import type { RaySteps, StepWork } from '../../../common/engine/ray/ray-steps';
import { decodeLists } from '../../../common/engine/similarity/elsewhere/encoded-lists';
import type { OrderedVectors } from '../../../common/engine/similarity/elsewhere/ordered-vectors';
import { storePieces } from '../../../common/engine/similarity/elsewhere/store-pieces';
import {
  partCount,
  partRange,
  SEARCH_STEPS,
  stepId,
  type SearchStep,
} from '../../../common/engine/similarity/elsewhere/stored-layout';
import type { ElsewhereLimits } from '../../../common/engine/similarity/similarity-structure';
import type { NeighbourSearch, SearchOptions } from '../../../common/engine/similarity/threads/structure-thread';
import { listsOf } from '../../../common/engine/similarity/vectors/top-lists';
import type { StepDescription } from '../../../common/engine/steps/step';
import { everyObject, type ObjectStore } from '../../../common/platform/storage/object-store';
import { workPrefix } from '../analysis/file-list';
import type { ComparedGroup } from '../build/domain/final-order';
import type { IndexingRun } from '../runs/task-runner';
import { withSteps } from '../runs/with-steps';
import type { NeighbourEngine, NeighboursInput } from './neighbour-steps';

/** Fewer vectors are compared in some ten seconds of CPU time; a Ray job needs five to start. */
const LEAST_VECTORS = 100_000;
/** How long to wait for a busy cluster: the next attempt would have to prepare the vectors again. */
const QUIET_MS = 300_000;
/** The share of each step of a part in the progress. */
const SHARES: Readonly<Record<SearchStep, number>> = { 'scan-cells': 0.9, 'refine-neighbours': 0.1 };

const comparedPrefix = (taskId: string): string => `${workPrefix(taskId)}compared/`;

/**
 * `ENGINE=ray`: steps of a Ray job find the neighbours of many vectors. Steps read and write objects below the digest of the vectors, so that the
 * next attempt, which prepares the same vectors, continues with the existing results.
 */
export class RayNeighbours implements NeighbourEngine {
  constructor(
    private readonly steps: RaySteps,
    private readonly store: ObjectStore,
    readonly limits: ElsewhereLimits = { leastVectors: LEAST_VECTORS },
  ) {}

  check(signal: AbortSignal): Promise<void> {
    return this.steps.check(signal);
  }

  during<T>({ taskId, context }: IndexingRun, compare: () => Promise<T>): Promise<T> {
    return withSteps(this.steps, comparedPrefix(taskId), context.signal, compare);
  }

  searchOf(run: IndexingRun, group: ComparedGroup): NeighbourSearch {
    return async (ordered, options) => {
      const all = `${comparedPrefix(run.taskId)}${group}/`;
      const prefix = `${all}${ordered.digest}/`;
      await this.removeOthers(all, prefix);
      await storePieces(this.store, prefix, ordered, options.signal);
      await this.steps.perform(new RaySearch(ordered, prefix, options).workOf(run, group));
    };
  }

  /** An attempt with a different memory limit may have ordered the vectors differently. */
  private async removeOthers(all: string, own: string): Promise<void> {
    const others = new Set<string>();
    for await (const { key } of everyObject(this.store, all))
      if (!key.startsWith(own)) others.add(key.slice(0, key.indexOf('/', all.length) + 1));
    for (const prefix of others) await this.steps.stop(prefix);
  }
}

/** The search for the neighbours of some vectors. */
class RaySearch {
  /** Steps without a result, in the order of their stages. */
  private readonly left = new Map<string, { readonly step: SearchStep; readonly part: number }>();

  constructor(
    private readonly ordered: OrderedVectors,
    private readonly prefix: string,
    private readonly options: SearchOptions,
  ) {
    for (const step of SEARCH_STEPS)
      for (let part = 0; part < partCount(ordered.shape); part++) this.left.set(stepId(step, part), { step, part });
  }

  workOf({ taskId, datasetId }: IndexingRun, group: ComparedGroup): StepWork {
    return {
      prefix: this.prefix,
      name: `dms-${taskId}-compare`,
      metadata: { name: `Dataset Media Service: comparing ${group}`, dataset: datasetId, task: taskId },
      unfinished: () => this.unfinished(),
      record: (id, read) => this.record(id, read),
      keepsResults: true,
      quietMs: QUIET_MS,
      signal: this.options.signal,
    };
  }

  private async *unfinished(): AsyncGenerator<StepDescription<NeighboursInput>> {
    const { prefix, ordered } = this;
    const { shape } = ordered;
    for (const [id, { step, part }] of this.left) {
      const { from, to } = partRange(shape, part);
      const stage = SEARCH_STEPS.indexOf(step);
      yield await Promise.resolve({ id, step, stage, weight: to - from, input: { prefix, shape, part } });
    }
  }

  private async record(id: string, read: () => Promise<Buffer>): Promise<boolean> {
    const found = this.left.get(id);
    if (found === undefined) return false;
    const { shape, neighbours } = this.ordered;
    const { from, to } = partRange(shape, found.part);
    // The lists of the first step are read by the second one.
    if (found.step === 'refine-neighbours') decodeLists(await read(), listsOf(neighbours, from, to));
    this.left.delete(id);
    this.report();
    return true;
  }

  private report(): void {
    let left = 0;
    for (const { step } of this.left.values()) left += SHARES[step];
    this.options.onProgress(1 - left / partCount(this.ordered.shape));
  }
}
