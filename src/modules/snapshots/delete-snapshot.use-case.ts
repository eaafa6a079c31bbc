import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { SnapshotRepository } from './persistence/snapshot.repository';
import { CurrentSnapshotError, SnapshotBeingRestoredError } from './domain/snapshot-errors';
import { RunningRestorations } from './running-restorations';
import { SnapshotFeature } from './snapshot-feature';

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
