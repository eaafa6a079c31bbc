import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetStatusError } from '../datasets';
import { TaskLedger } from '../tasks';
import { TagNames } from '../versions';
import { type Snapshot, CurrentSnapshotError, SnapshotBeingRestoredError } from './domain/snapshot';
import { SnapshotFeature } from './snapshot-feature';
import { TakeSnapshot } from './take-snapshot';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { RunningRestorations } from './restore-snapshot.use-case';

@Injectable()
export class DescribeSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly snapshots: SnapshotRepository,
  ) {}

  async describe(
    datasetId: string,
    snapshotId: string,
    words: { readonly name?: string | undefined; readonly description?: string | undefined },
  ): Promise<void> {
    await this.transactions.run(async () => {
      const { id } = await this.feature.snapshotOf(await this.feature.lock(datasetId), snapshotId);
      const { name, description } = words;
      await this.snapshots.describe(id, {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
      });
    });
  }
}

/** The snapshot disappears at once; files that only it used are deleted by the next sweeps. */
@Injectable()
export class DeleteSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly snapshots: SnapshotRepository,
    private readonly restorations: RunningRestorations,
  ) {}

  async delete(datasetId: string, snapshotId: string): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.feature.lock(datasetId);
      const { id } = await this.feature.snapshotOf(dataset, snapshotId);
      if (id === dataset.currentSnapshotId) throw new CurrentSnapshotError();
      if ((await this.restorations.of(datasetId)) === id) throw new SnapshotBeingRestoredError();
      await this.snapshots.markDeleted(id);
    });
  }
}

export interface SnapshotText {
  readonly name?: string | undefined;
  readonly description: string;
}

/** Makes a snapshot at a user's request. */
@Injectable()
export class CreateSnapshotUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly feature: SnapshotFeature,
    private readonly tasks: TaskLedger,
    private readonly tagNames: TagNames,
    private readonly takeSnapshot: TakeSnapshot,
  ) {}

  create(datasetId: string, words: SnapshotText, createdBy: string): Promise<Snapshot> {
    return this.transactions.run(async () => {
      const dataset = await this.feature.lock(datasetId);
      await this.tasks.assertNotBlocked('snapshot', datasetId);
      if (dataset.status !== 'READY') throw new DatasetStatusError('snapshot', dataset.status, ['READY']);
      const tags = await this.tagNames.list(datasetId);
      return this.takeSnapshot.of(dataset, { reason: 'manual', createdBy, tags, ...words });
    });
  }
}
