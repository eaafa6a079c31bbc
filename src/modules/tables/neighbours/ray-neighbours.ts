import { randomBytes } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import pMap from 'p-map';
import type { RaySteps, StepWork } from '../../../common/engine/ray/ray-steps';
import { decodeLists } from '../../../common/engine/similarity/elsewhere/encoded-lists';
import type { OrderedVectors } from '../../../common/engine/similarity/elsewhere/ordered-vectors';
import { keysOf, putOnce, storePieces } from '../../../common/engine/similarity/elsewhere/store-pieces';
import {
  listsKey,
  listsPrefix,
  partCount,
  partOfKey,
  partRange,
  type SearchPass,
} from '../../../common/engine/similarity/elsewhere/stored-layout';
import type { NeighbourSearch, SearchOptions } from '../../../common/engine/similarity/threads/structure-thread';
import { listsOf } from '../../../common/engine/similarity/vectors/top-lists';
import { StepRefusedError, type StepDescription } from '../../../common/engine/steps/step';
import { isPlanKey, prefixOfPlan } from '../../../common/engine/steps/step-plan';
import { errorMessage } from '../../../common/platform/errors/error-code';
import { JobCancelledError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { isUnrecoverable } from '../../../common/platform/outage/outage';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { ComparedGroup } from '../build/domain/final-order';
import { workPrefix } from '../analysis/file-list';
import type { IndexingRun } from '../runs/task-runner';
import { type NeighbourEngine, NEIGHBOUR_STEPS, neighboursResult, type NeighboursInput } from './neighbour-steps';

/** Fewer vectors are compared in some ten seconds of CPU time; a Ray job needs five to start. */
const LEAST_VECTORS = 100_000;
/** How long to wait for a busy cluster: the next attempt would have to prepare the vectors again. */
const QUIET_MS = 300_000;
const READ_AT_ONCE = 4;
/** The share of each pass in the progress. */
const SHARES: Readonly<Record<SearchPass, number>> = { scanned: 0.9, refined: 0.1 };
const PASSES = ['scanned', 'refined'] as const;

const comparedPrefix = (taskId: string): string => `${workPrefix(taskId)}compared/`;

/**
 * `ENGINE=ray`: steps of a Ray job find the neighbours of many vectors. Steps read and write objects below the digest of the vectors, so that the
 * next attempt, which prepares the same vectors, continues with the existing results.
 */
export class RayNeighbours implements NeighbourEngine {
  private readonly logger = new Logger(RayNeighbours.name);

  constructor(
    private readonly steps: RaySteps,
    private readonly store: ObjectStore,
    readonly leastVectors = LEAST_VECTORS,
  ) {}

  check(signal: AbortSignal): Promise<void> {
    return this.steps.check(signal);
  }

  searchOf(run: IndexingRun, group: ComparedGroup): NeighbourSearch {
    return async (ordered, options) => {
      const folder = `${comparedPrefix(run.taskId)}${group}/${ordered.digest}/`;
      await this.removeOthers(`${comparedPrefix(run.taskId)}${group}/`, folder);
      const name = await this.nameIn(folder);
      const prefix = `${folder}${name}/`;
      await storePieces(this.store, prefix, ordered, options.signal);
      const search = new RaySearch(this.store, ordered, prefix, options);
      await this.steps.perform(search.workOf(run, group, name));
      await search.readRest();
    };
  }

  async release(run: IndexingRun, error?: unknown): Promise<void> {
    const { signal } = run.context;
    const isCancelled = signal.reason instanceof JobCancelledError;
    const mayGoOn = signal.aborted ? !isCancelled : error !== undefined && !isFinal(error);
    if (mayGoOn) return;
    try {
      const prefix = comparedPrefix(run.taskId);
      await this.remove(prefix, await keysOf(this.store, prefix));
    } catch (left) {
      // A sweep removes the work of an ended task, and the Ray job ends without its plan.
      this.logger.warn(`The files of a comparison in the store could not be removed: ${errorMessage(left)}`);
    }
  }

  /**
   * A search that is repeated after its removal gets a new name: Ray does not accept a name twice, and running steps may still store results below the
   * former name.
   */
  private async nameIn(folder: string): Promise<string> {
    const key = `${folder}name`;
    await putOnce(this.store, key, Buffer.from(randomBytes(6).toString('hex')));
    return text(await this.store.get(key));
  }

  /** An attempt with a different memory limit may have ordered the vectors differently. */
  private async removeOthers(all: string, own: string): Promise<void> {
    const others = [...(await keysOf(this.store, all))].filter((key) => !key.startsWith(own));
    const folders = new Set(others.map((key) => key.slice(0, key.indexOf('/', all.length) + 1)));
    for (const folder of folders) await this.remove(folder, others);
  }

  /** Also stops the jobs of the searches. */
  private async remove(folder: string, keys: Iterable<string>): Promise<void> {
    const searches = new Set<string>();
    for (const key of keys) if (key.startsWith(folder) && isPlanKey(key)) searches.add(prefixOfPlan(key));
    for (const prefix of searches) await this.steps.stop({ prefix });
    await this.store.deletePrefix(folder);
  }
}

const isFinal = (error: unknown): boolean => isUnrecoverable(error) || error instanceof PermanentJobError;

const stepId = (pass: SearchPass, part: number): string => `${pass}-${part}`;

/** The search for the neighbours of some vectors, resumed from the lists in the store. */
class RaySearch {
  /** The steps of the job without a result. */
  private readonly awaited = new Map<string, { readonly pass: SearchPass; readonly part: number }>();
  /** The parts whose neighbours were read. */
  private readonly read = new Set<number>();

  constructor(
    private readonly store: ObjectStore,
    private readonly ordered: OrderedVectors,
    private readonly prefix: string,
    private readonly options: SearchOptions,
  ) {}

  workOf({ taskId, datasetId }: IndexingRun, group: ComparedGroup, name: string): StepWork {
    return {
      prefix: this.prefix,
      name: `dms-${taskId}-compare-${name}`,
      metadata: { name: `Dataset Media Service: comparing ${group}`, dataset: datasetId, task: taskId },
      unfinished: () => this.unfinished(),
      record: (id, result) => this.record(id, result),
      // The job does not yield to others, because the vectors would have to be prepared again.
      onLook: () => Promise.resolve(),
      quietMs: QUIET_MS,
      signal: this.options.signal,
    };
  }

  async readRest(): Promise<void> {
    const parts = Array.from({ length: this.parts }, (_, part) => part).filter((part) => !this.read.has(part));
    await pMap(parts, (part) => this.readPart(part), { concurrency: READ_AT_ONCE, signal: this.options.signal });
  }

  private get parts(): number {
    return partCount(this.ordered.shape.count);
  }

  /** A part whose lists are in the store is complete, even if its result was lost. */
  private async *unfinished(): AsyncGenerator<StepDescription<NeighboursInput>> {
    const { prefix, ordered, awaited } = this;
    awaited.clear();
    const { shape } = ordered;
    for (const [stage, pass] of PASSES.entries()) {
      const done = new Set([...(await keysOf(this.store, listsPrefix(prefix, pass)))].map(partOfKey));
      for (let part = 0; part < this.parts; part++) {
        if (done.has(part)) continue;
        const id = stepId(pass, part);
        awaited.set(id, { pass, part });
        const { from, to } = partRange(shape.count, part);
        yield { id, step: NEIGHBOUR_STEPS[pass], stage, weight: to - from, input: { prefix, shape, part } };
      }
    }
    this.report();
  }

  private async record(id: string, result: unknown): Promise<boolean> {
    const { error } = neighboursResult.safeParse(result);
    if (error !== undefined)
      throw new StepRefusedError(`The result of ${id} is not valid: ${error.message}`, { cause: error });
    const step = this.awaited.get(id);
    if (step === undefined) return false;
    if (step.pass === 'refined') await this.readPart(step.part);
    this.awaited.delete(id);
    this.report();
    return true;
  }

  private async readPart(part: number): Promise<void> {
    const { shape, neighbours } = this.ordered;
    const { from, to } = partRange(shape.count, part);
    const bytes = await buffer(await this.store.get(listsKey(this.prefix, 'refined', part)));
    decodeLists(bytes, listsOf(neighbours, from, to));
    this.read.add(part);
  }

  private report(): void {
    let left = 0;
    for (const { pass } of this.awaited.values()) left += SHARES[pass];
    this.options.onProgress(1 - left / this.parts);
  }
}
