import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OneAtATime, untilDone } from '../../common/platform/concurrency/one-at-a-time';
import { failpoint } from '../../common/platform/config/failpoint';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetReader, DatasetWriter, type DatasetPointer } from '../datasets';
import { AnnotationStateRepository, SourceAnnotations, type AnnotationSource } from '../versions';
import { AnnotationsBusyError, assertEditable } from './domain/source-errors';

export interface StateChange<T> {
  /** The sources afterwards, or undefined if they stay as they are. */
  make(
    before: readonly AnnotationSource[],
    pointer: DatasetPointer,
  ): Promise<{ readonly sources: readonly AnnotationSource[] | undefined; readonly result: T }>;
  /** Runs in the transaction that publishes the change. */
  commit?(result: T): Promise<void>;
}

/** Changes what sources say about a dataset: writes a new state, then publishes it. */
@Injectable()
export class StateChanges {
  private readonly turns = new OneAtATime();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly annotations: SourceAnnotations,
    private readonly states: AnnotationStateRepository,
  ) {}

  apply<T>(datasetId: string, change: StateChange<T>): Promise<T> {
    const attempt = () => this.tryToApply(datasetId, change);
    return this.turns.run(datasetId, () => untilDone(attempt, () => new AnnotationsBusyError()));
  }

  /** Undefined if another change was published first. */
  private async tryToApply<T>(datasetId: string, change: StateChange<T>): Promise<{ readonly result: T } | undefined> {
    const pointer = assertEditable(await this.datasets.get(datasetId));
    const { sources: before } = await this.annotations.stateOf(pointer);
    const { sources, result } = await change.make(before, pointer);
    failpoint('annotations-written');
    const done = await this.transactions.run(async () => {
      const current = assertEditable(await this.datasets.lock(datasetId));
      if (current.annotationState !== pointer.annotationState) return undefined;
      if (sources !== undefined) await this.publish(datasetId, sources);
      await change.commit?.(result);
      return { result };
    });
    failpoint('annotations-published');
    return done;
  }

  private async publish(datasetId: string, sources: readonly AnnotationSource[]): Promise<void> {
    if (sources.length === 0) return this.writer.publishAnnotations(datasetId, null);
    const id = randomUUID();
    await this.states.insert({ id, sources });
    await this.writer.publishAnnotations(datasetId, id);
  }
}
