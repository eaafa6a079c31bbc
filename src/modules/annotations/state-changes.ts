import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OneAtATime, untilDone } from '../../common/platform/concurrency/one-at-a-time';
import { failpoint } from '../../common/platform/config/failpoint';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { defineJob } from '../../common/platform/jobs/job-type';
import { DatasetReader, DatasetWriter, type Dataset, type DatasetPointer } from '../datasets';
import { DomainEvents, type SourceTotals } from '../events';
import {
  AnnotationFiles,
  AnnotationStateRepository,
  filesToMerge,
  SourceAnnotations,
  VersionOpener,
} from '../versions';
import type { AnnotationSource } from '../versions';
import { AnnotationDraft } from './annotation-draft';
import { AnnotationsBusyError, assertEditable } from './domain/source-errors';

const MOST_TOGETHER = 100;

export interface MergePayload {
  readonly datasetId: string;
}

/** Merges small files of sources. */
export const MERGE_ANNOTATION_FILES = defineJob<MergePayload>('merge-annotation-files', { logsEnd: false });

export interface StateChange<T> {
  /** Changes the draft at its end, or throws and leaves the draft as it is. */
  make(draft: AnnotationDraft): T | Promise<T>;
  /** Runs in the transaction that publishes the change. */
  commit(result: T): Promise<void>;
}

type InTransaction = (work: () => Promise<void>) => Promise<void>;

/** Another process published a change first. */
class StateMovedError extends Error {}

/** A change that waits for the one before it. */
interface Waiting {
  readonly change: StateChange<unknown>;
  readonly end: (outcome: PromiseSettledResult<unknown>) => void;
}

/**
 * Changes what sources say about a dataset: writes a new state, then publishes it. Changes that wait for another are made one after the other in
 * one draft and published together; one that is refused does not affect the others.
 */
@Injectable()
export class StateChanges {
  private readonly turns = new OneAtATime();
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly versions: VersionOpener,
    private readonly annotations: SourceAnnotations,
    private readonly files: AnnotationFiles,
    private readonly states: AnnotationStateRepository,
    private readonly events: DomainEvents,
    private readonly jobs: JobQueue,
  ) {}

  async apply<T>(datasetId: string, change: StateChange<T>): Promise<T> {
    const outcome = await new Promise<PromiseSettledResult<unknown>>((end) =>
      this.groupOf(datasetId).push({ change, end }),
    );
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value as T;
  }

  /** Like `apply`, for a change whose commit may fail for reasons of its own: other changes are not in its transaction. */
  applyAlone<T>(datasetId: string, change: StateChange<T>): Promise<T> {
    return this.applyIn((work) => this.transactions.run(work), datasetId, change);
  }

  /** Like `applyAlone`, in a transaction that `inTransaction` begins. */
  async applyIn<T>(inTransaction: InTransaction, datasetId: string, change: StateChange<T>): Promise<T> {
    const [outcome] = await this.turns.run(datasetId, () =>
      untilDone(
        () => this.tryToApply(datasetId, [change], inTransaction),
        () => new AnnotationsBusyError(),
      ),
    );
    if (outcome!.status === 'rejected') throw outcome!.reason;
    return outcome!.value as T;
  }

  /** The group that waits, or a new one. */
  private groupOf(datasetId: string): Waiting[] {
    const known = this.waiting.get(datasetId);
    if (known !== undefined && known.length < MOST_TOGETHER) return known;
    const group: Waiting[] = [];
    this.waiting.set(datasetId, group);
    void this.turns.run(datasetId, () => {
      if (this.waiting.get(datasetId) === group) this.waiting.delete(datasetId);
      return this.applyTogether(datasetId, group);
    });
    return group;
  }

  private async applyTogether(datasetId: string, group: readonly Waiting[]): Promise<void> {
    const changes = group.map(({ change }) => change);
    const outcomes = await untilDone(
      () => this.tryToApply(datasetId, changes),
      () => new AnnotationsBusyError(),
    ).catch((reason: unknown) => group.map((): PromiseRejectedResult => ({ status: 'rejected', reason })));
    group.forEach(({ end }, at) => end(outcomes[at]!));
  }

  /** Undefined if another process was faster. */
  private async tryToApply(
    datasetId: string,
    changes: readonly StateChange<unknown>[],
    inTransaction: InTransaction = (work) => this.transactions.run(work),
  ): Promise<{ readonly result: PromiseSettledResult<unknown>[] } | undefined> {
    const pointer = assertEditable(await this.datasets.get(datasetId));
    const { sources: before } = await this.annotations.stateOf(pointer);
    using version = await this.versions.open(pointer);
    const draft = new AnnotationDraft(version, before, this.annotations, this.files);
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (const change of changes) outcomes.push(await settled(() => change.make(draft)));
    if (outcomes.every(({ status }) => status === 'rejected')) return { result: outcomes };
    const sources = await draft.written();
    failpoint('annotations-written');
    try {
      await inTransaction(async () => {
        const current = await this.datasets.lock(datasetId);
        if (!isSameVersion(assertEditable(current), pointer)) throw new StateMovedError();
        if (draft.isChanged) await this.publish(current, sources, draft.totals);
        if (sources.some(({ segments }) => filesToMerge(segments, version.rows) !== undefined))
          await this.jobs.enqueue(MERGE_ANNOTATION_FILES, { datasetId }, { singletonKey: datasetId });
        for (const [at, outcome] of outcomes.entries())
          if (outcome.status === 'fulfilled') await changes[at]!.commit(outcome.value);
      });
    } catch (error) {
      if (error instanceof StateMovedError) return undefined;
      throw error;
    }
    failpoint('annotations-published');
    return { result: outcomes };
  }

  private async publish(
    { id: datasetId, displayName: datasetName }: Dataset,
    sources: readonly AnnotationSource[],
    totals: readonly SourceTotals[],
  ): Promise<void> {
    await this.writer.publishAnnotations(datasetId, sources.length > 0 ? await this.states.insert(sources) : null);
    if (totals.length === 0) return;
    const changeId = randomUUID();
    await this.events.record({ type: 'annotations.changed', datasetId, datasetName, changeId, sources: totals });
  }
}

const isSameVersion = (one: DatasetPointer, other: DatasetPointer): boolean =>
  one.generation === other.generation && one.version === other.version && one.annotationState === other.annotationState;

async function settled<T>(work: () => T | Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
