import { Injectable } from '@nestjs/common';
import { OneAtATime, untilDone } from '../../../common/platform/concurrency/one-at-a-time';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { DatasetReader, DatasetWriter, isSamePointer, type DatasetPointer } from '../../datasets';
import { TagAssignmentsCache, TagFiles, type TagChange, type TagLists } from '../../versions';
import { assertTaggable, type TagOperation, TagsBusyError } from './domain/tag-errors';

export interface AssignmentChange {
  readonly operation: TagOperation;
  make(before: TagLists, pointer: DatasetPointer): TagChange | Promise<TagChange>;
  /** Runs in the transaction that publishes the change, while the dataset is locked. Returns false without writing if `make` must run again. */
  commit(): Promise<unknown>;
}

/** Changes the tag assignments of a dataset: writes a new file, then publishes it. */
@Injectable()
export class AssignmentChanges {
  private readonly turns = new OneAtATime();

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
    private readonly assignments: TagAssignmentsCache,
    private readonly files: TagFiles,
  ) {}

  /** Returns how many rows changed. */
  apply(datasetId: string, change: AssignmentChange): Promise<number> {
    const attempt = () => this.tryToApply(datasetId, change);
    return this.turns.run(datasetId, () => untilDone(attempt, () => new TagsBusyError()));
  }

  /** Undefined if another change was published first. */
  private async tryToApply(
    datasetId: string,
    change: AssignmentChange,
  ): Promise<{ readonly result: number } | undefined> {
    const pointer = assertTaggable(change.operation, await this.datasets.get(datasetId));
    const before = await this.assignments.open(pointer);
    const { lists, changed } = await change.make(before.lists, pointer);
    const file = changed === 0 ? undefined : await this.files.write(lists);
    return this.transactions.run(async () => {
      const current = assertTaggable(change.operation, await this.datasets.lock(datasetId));
      if (!isSamePointer(current, pointer)) return undefined;
      if ((await change.commit()) === false) return undefined;
      if (file !== undefined) await this.writer.publishTags(datasetId, file);
      return { result: changed };
    });
  }
}
