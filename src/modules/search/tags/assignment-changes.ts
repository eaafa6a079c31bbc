import { Injectable } from '@nestjs/common';
import { OneAtATime } from '../../../common/platform/concurrency/one-at-a-time';
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

/** The maximum of optimistic retries: a conflict means that another process succeeded. Changes in this process are serialised. */
const MOST_TRIES = 20;

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
    return this.turns.run(datasetId, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const changed = await this.tryToApply(datasetId, change);
        if (changed !== undefined) return changed;
      }
      throw new TagsBusyError();
    });
  }

  /** Undefined if another change was published first. */
  private async tryToApply(datasetId: string, change: AssignmentChange): Promise<number | undefined> {
    const pointer = assertTaggable(change.operation, await this.datasets.get(datasetId));
    const before = await this.assignments.open(pointer);
    const { lists, changed } = await change.make(before.lists, pointer);
    const file = changed === 0 ? undefined : await this.files.write(lists);
    return this.transactions.run(async () => {
      const current = assertTaggable(change.operation, await this.datasets.lock(datasetId));
      if (!isSamePointer(current, pointer)) return undefined;
      if ((await change.commit()) === false) return undefined;
      if (file !== undefined) await this.writer.publishTags(datasetId, file);
      return changed;
    });
  }
}
